//! Pictures as PNG.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Tree, fontdb};

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// Text cannot be drawn.
    #[error("no font was found on this system; install one (such as fonts-dejavu-core) or use SVG instead of PNG")]
    NoFont,
    /// The picture is too large for a bitmap.
    #[error("the picture is too large for PNG ({0} x {1} pixels); use SVG instead")]
    TooLarge(u32, u32),
    /// The SVG could not be read back.
    #[error("the picture could not be rendered: {0}")]
    Render(String),
}

/// The largest bitmap, in pixels: 256 MB.
const MOST: u64 = 64 << 20;

/// The fonts of the system, read once: reading them takes longer than drawing.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_system_fonts();
        // The generic name must lead to a font that is there.
        let mono = fonts.faces().find(|face| face.monospaced).or_else(|| fonts.faces().next());
        if let Some(family) = mono.and_then(|face| face.families.first()).map(|(name, _)| name.clone()) {
            fonts.set_monospace_family(family);
        }
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

/// Renders an SVG document.
pub(crate) fn render(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let fonts = fonts();
    if fonts.is_empty() {
        return Err(PngError::NoFont);
    }
    let options = usvg::Options { fontdb: fonts, font_family: "monospace".into(), ..usvg::Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| PngError::Render(error.to_string()))?;
    let size = tree.size();
    let (w, h) = ((size.width() * scale).ceil() as u32, (size.height() * scale).ceil() as u32);
    let pixels = u64::from(w) * u64::from(h);
    let mut pixmap = match pixels <= MOST {
        true => Pixmap::new(w, h).ok_or(PngError::TooLarge(w, h))?,
        false => return Err(PngError::TooLarge(w, h)),
    };
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| PngError::Render(error.to_string()))
}
