//! The way through the text of a patch and back.
//!
//! A frame whose next statement is patched goes on in the patch's image, at
//! the new text. What it calls runs in the program's own code, so it stops
//! there as ever. At the next statement the frame is in the program's own
//! code again:
//!
//! ```text
//! image 0:  x = 1;  y = f(x);          return y;
//!                   \\                 /
//! image 1:           y = f(x + 1);  →
//! ```

use super::code::{Detour, UNWRITTEN};
use super::machine::{Halt, Machine};
use super::memory::{Kind, Trouble};
use crate::FaultKind;

impl Machine {
    /// Puts the innermost frame at the text of a patch, by the number of its image.
    pub fn enter_detour(&mut self, number: usize) -> Result<(), Halt> {
        let image = self.images[number].clone();
        let (Some(detour), Some(frame)) = (image.detour, self.frames.last_mut()) else { return Err(Halt::Interrupted) };
        let Some((function, start)) = image.step_starts[detour.start as usize] else { return Err(Halt::Interrupted) };
        let (ours, theirs) = (&self.images[0].functions[function as usize], &image.functions[function as usize]);
        let (base, first) = (frame.base as usize, (frame.base + detour.named) as usize);
        (frame.image, frame.pc) = (number, start);
        let is_temporary = |(slot, _): &&(u32, u32)| *slot >= detour.named;
        let has_objects = ours.in_memory.iter().chain(&theirs.in_memory).any(|object| is_temporary(&object));
        if has_objects {
            frame.kept = Some(self.registers[first..].into());
        }
        // The patched function may need more registers for temporaries.
        let needed = base + theirs.registers as usize;
        let size = self.registers.len();
        self.registers.resize(size.max(needed), UNWRITTEN);
        for &(slot, size) in theirs.in_memory.iter().filter(is_temporary) {
            let full = || Trouble::new(FaultKind::StackOverflow, "needs more memory than there is");
            let address = self.memory.create(size.into(), Kind::Local).ok_or_else(full).map_err(Halt::Trouble)?;
            self.registers[base + slot as usize] = address;
        }
        Ok(())
    }

    /// The innermost frame has come to the statement `step` of a patch: it
    /// goes on at the same statement of the program, or stands before the one
    /// that the text was put before.
    pub fn leave_detour(&mut self, step: u32) -> Option<Halt> {
        let frame = self.frames.last_mut()?;
        let (image, program) = (self.images[frame.image].clone(), self.images[0].clone());
        let detour = image.detour?;
        let (base, first) = (frame.base as usize, (frame.base + detour.named) as usize);
        let function = frame.function as usize;
        frame.image = 0;
        if let Some(kept) = frame.kept.take() {
            for &(slot, _) in image.functions[function].in_memory.iter().filter(|(slot, _)| *slot >= detour.named) {
                self.memory.kill(self.registers[base + slot as usize]);
            }
            self.registers[first..first + kept.len()].copy_from_slice(&kept);
        }
        let next = if detour.stays { detour.replaced } else { detour.original(step) };
        let (_, start) = program.step_starts[next as usize]?;
        if detour.stays {
            (frame.pc, frame.step) = (start, Some(next));
            return Some(Halt::Step(next));
        }
        // It comes to the mark of the statement as if there were no patch.
        frame.pc = start - 1;
        None
    }
}

impl Detour {
    /// The program's number of a statement of the patch.
    fn original(&self, step: u32) -> u32 {
        if step > self.replaced { step - self.more } else { step }
    }
}
