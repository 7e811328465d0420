//! The frame of the page: its style, its sections, its tables, and the escaping of all text.
//!
//! Text goes into the page through [`escape`] or [`prose`]; only this file and `plot.rs` write tags.

use std::fmt::Write as _;

/// One section of the page.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its name in links.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it shows, as HTML.
    pub body: String,
    /// What it cannot show, one sentence each.
    pub missing: Vec<String>,
}

impl Section {
    /// A section with nothing in it.
    pub fn new(id: &'static str, title: &'static str) -> Section {
        Section { id, title, ..Section::default() }
    }

    /// Adds a paragraph; what is in backquotes is code.
    pub fn say(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", prose(text));
    }

    /// Adds a heading of a part.
    pub fn part(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h3>{}</h3>", prose(text));
    }

    /// Says what is left out and what would make it.
    pub fn leave_out(&mut self, what: &str, command: &str) {
        let sentence = format!("{what} is left out: `{command}` would produce its rows.");
        let _ = writeln!(self.body, "<p class=\"missing\">{}</p>", prose(&sentence));
        self.missing.push(sentence);
    }

    /// Adds a plot with a caption.
    pub fn plot(&mut self, svg: &str, caption: &str) {
        let _ = writeln!(self.body, "<figure>{svg}<figcaption>{}</figcaption></figure>", prose(caption));
    }

    /// Adds plots side by side under one caption.
    pub fn plots(&mut self, svgs: &[String], caption: &str) {
        self.plot(&format!("<div class=\"pairs\">{}</div>", svgs.concat()), caption);
    }

    /// Adds a table.
    pub fn table(&mut self, table: &Table) {
        self.body.push_str(&table.html());
    }

    /// Adds tables side by side.
    pub fn tables(&mut self, tables: &[Table]) {
        let html: String = tables.iter().map(Table::html).collect();
        let _ = writeln!(self.body, "<div class=\"beside\">{html}</div>");
    }

    /// Adds a table that is shown on demand.
    pub fn fold(&mut self, summary: &str, table: &Table) {
        let _ = writeln!(self.body, "<details><summary>{}</summary>{}</details>", prose(summary), table.html());
    }
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    html: String,
    class: &'static str,
}

/// A cell with text, on the left.
pub fn text(text: impl AsRef<str>) -> Cell {
    Cell { html: prose(text.as_ref()), class: "" }
}

/// A cell with a number, on the right.
pub fn number(text: impl AsRef<str>) -> Cell {
    Cell { html: escape(text.as_ref()), class: "n" }
}

/// A cell with a figure of the paper, on the right.
pub fn paper(text: impl AsRef<str>) -> Cell {
    Cell { html: escape(text.as_ref()), class: "n paper" }
}

/// Whether an aim is met; nothing where it is not known.
pub fn verdict(met: Option<bool>) -> Cell {
    match met {
        Some(true) => Cell { html: "<span aria-label=\"met\">✓</span>".into(), class: "yes" },
        Some(false) => Cell { html: "<span aria-label=\"not met\">✗</span>".into(), class: "no" },
        None => Cell { html: String::new(), class: "" },
    }
}

/// A table: its caption, its head and its rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    caption: String,
    groups: Vec<(String, usize)>,
    head: Vec<String>,
    rows: Vec<Vec<Cell>>,
    sum: bool,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: &str, head: &[&str]) -> Table {
        let head = head.iter().map(|name| name.to_string()).collect();
        Table { caption: caption.to_string(), head, ..Table::default() }
    }

    /// Adds names of groups of columns above the head, each with the number of its columns.
    pub fn groups(mut self, groups: &[(&str, usize)]) -> Table {
        self.groups = groups.iter().map(|(name, span)| (name.to_string(), *span)).collect();
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Says that the last row is the sum of the others.
    pub fn with_sum(mut self) -> Table {
        self.sum = self.rows.len() > 1;
        self
    }

    fn html(&self) -> String {
        let body: String = self.rows.iter().enumerate().map(|(index, row)| self.row_html(index, row)).collect();
        let (caption, head) = (prose(&self.caption), self.head_html());
        let class = attribute(if self.head.len() > 10 { "dense" } else { "" });
        format!(
            "<div class=\"scroll\"><table{class}><caption>{caption}</caption><thead>{head}</thead>\n\
             <tbody>{body}</tbody></table></div>\n"
        )
    }

    /// The names of the columns, aligned like the cells of the first row.
    fn head_html(&self) -> String {
        let groups: String = self.groups.iter().map(|(name, span)| group_html(name, *span)).collect();
        let groups = if groups.is_empty() { groups } else { format!("<tr>{groups}</tr>\n") };
        let class = |column: usize| self.rows.first().and_then(|row| row.get(column)).map_or("", |cell| cell.class);
        let names = self.head.iter().enumerate();
        let names =
            names.map(|(column, name)| format!("<th scope=\"col\"{}>{}</th>", attribute(class(column)), prose(name)));
        format!("{groups}<tr>{}</tr>", names.collect::<String>())
    }

    /// One row, whose first cell is its heading.
    fn row_html(&self, index: usize, cells: &[Cell]) -> String {
        let class = if self.sum && index + 1 == self.rows.len() { "sum" } else { "" };
        let cells = cells.iter().enumerate().map(|(column, cell)| {
            let (open, close) = if column == 0 { ("th scope=\"row\"", "th") } else { ("td", "td") };
            format!("<{open}{}>{}</{close}>", attribute(cell.class), cell.html)
        });
        format!("<tr{}>{}</tr>\n", attribute(class), cells.collect::<String>())
    }
}

fn group_html(name: &str, span: usize) -> String {
    let class = if name.is_empty() { "" } else { "group" };
    format!("<th scope=\"colgroup\" colspan=\"{span}\"{}>{}</th>", attribute(class), prose(name))
}

fn attribute(class: &str) -> String {
    if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") }
}

/// The whole page.
pub fn page(introduction: &[String], sections: &[Section]) -> String {
    let introduction: String = introduction.iter().map(|text| format!("<p>{}</p>\n", prose(text))).collect();
    let links: String = sections.iter().map(link).collect();
    let body: String = sections.iter().map(section_html).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>Wolverine: results</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Wolverine: results</h1>\n{introduction}<nav aria-label=\"Sections\"><ol>\n{links}</ol></nav>\n\
         {body}</main>\n</body>\n</html>\n"
    )
}

fn link(section: &Section) -> String {
    format!("<li><a href=\"#{}\">{}</a></li>\n", section.id, escape(section.title))
}

fn section_html(section: &Section) -> String {
    let Section { id, title, body, .. } = section;
    format!("<section id=\"{id}\">\n<h2>{}</h2>\n{body}</section>\n", escape(title))
}

/// Text as HTML, also inside of attributes; control characters, which no page may have, become `�`.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter if letter.is_control() && !letter.is_whitespace() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

/// Text as HTML, with `code` for what is in pairs of backquotes.
pub fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let paired = parts.len() % 2 == 1;
    if !paired {
        return escape(text);
    }
    let html = parts.iter().enumerate().map(|(index, part)| match index % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    });
    html.collect()
}

const STYLE: &str = include_str!("style.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_tags() {
        assert_eq!(escape("a<b & \"c\" 'd'\u{1}"), "a&lt;b &amp; &quot;c&quot; &#39;d&#39;\u{fffd}");
        assert_eq!(prose("`p->x` < `y"), "`p-&gt;x` &lt; `y");
        assert_eq!(prose("set `p<q`."), "set <code>p&lt;q</code>.");
    }

    #[test]
    fn tables_align_numbers_and_mark_the_sum() {
        let mut table = Table::new("Things", &["what", "n"]);
        table.row(vec![text("a<b"), number("1")]);
        table.row(vec![text("all"), number("1")]);
        let html = table.with_sum().html();
        assert!(html.contains("<th scope=\"col\" class=\"n\">n</th>"), "{html}");
        assert!(html.contains("<th scope=\"row\">a&lt;b</th><td class=\"n\">1</td>"), "{html}");
        assert!(html.contains("<tr class=\"sum\">"), "{html}");
    }
}
