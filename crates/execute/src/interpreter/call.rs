//! Calls: of the program's own functions, of the library, and back.

use std::sync::Arc;

use super::callback::{self, Callback, Next};
use super::code::*;
use super::library::{Context, Outcome};
use super::machine::{Frame, Halt, Machine, create_locals, lowered};
use super::memory::{Kind, Trouble};
use crate::FaultKind;

impl Machine {
    /// Runs a call instruction; `Some` if the program stops there.
    pub fn call(&mut self, number: u32) -> Option<Halt> {
        let frame = self.frames.last().expect("a call is made by a frame");
        let image = self.images[frame.image].clone();
        let call = &image.calls[number as usize];
        let values: Vec<u64> = call.arguments.iter().map(|(src, _)| self.value(frame, *src)).collect();
        let target = match call.target {
            Target::Pointer(src) => match self.pointed_function(self.value(frame, src)) {
                Ok(target) => target,
                Err(trouble) => return Some(Halt::Trouble(trouble)),
            },
            Target::Own(function) => Callee::Own(function),
            Target::Library(entry) => Callee::Library(entry),
        };
        if let (Some(step), Some(frame)) = (call.step, self.frames.last_mut())
            && frame.image == 0
        {
            frame.step = Some(step);
        }
        let result = match target {
            Callee::Own(function) => self.enter(function, &values, call.to, call.struct_result),
            Callee::Library(entry) => self.library_call(entry, call, &values),
        };
        result.err()
    }

    /// What a function pointer points to.
    pub fn pointed_function(&self, address: u64) -> Result<Callee, Trouble> {
        match self.memory.resolve(address) {
            Some((Kind::Function(function), 0, _)) => Ok(Callee::Own(function)),
            Some((Kind::Library(entry), 0, _)) => Ok(Callee::Library(entry)),
            _ if address == 0 => Err(Trouble::new(FaultKind::Null, "is null and cannot be called")),
            _ => Err(Trouble::new(FaultKind::Dangling, "does not point to a function")),
        }
    }

    /// Begins a call of one of the program's functions.
    pub fn enter(
        &mut self,
        function: u32,
        values: &[u64],
        to: Option<Slot>,
        struct_result: Option<u32>,
    ) -> Result<(), Halt> {
        if self.frames.len() >= self.max_depth {
            let message =
                format!("has led to {} calls inside of each other, more than the stack holds", self.frames.len());
            return Err(Halt::Trouble(Trouble::new(FaultKind::StackOverflow, message)));
        }
        let image = self.images[0].clone();
        let body = &image.functions[function as usize];
        let base = self.registers.len();
        self.registers.resize(base + body.registers as usize, UNWRITTEN);
        let named = values.len().min(body.parameters as usize);
        self.registers[base..base + named].copy_from_slice(&values[..named]);
        for (parameter, kind) in body.parameter_kinds.iter().enumerate().take(named) {
            if let Some(kind) = kind {
                // The caller may have passed another type than the callee takes.
                self.registers[base + parameter] = super::arithmetic::wrap(*kind, values[parameter]);
            }
        }
        create_locals(&mut self.memory, &mut self.registers, body, base).map_err(Halt::Trouble)?;
        let varargs = (body.variadic && values.len() > named).then(|| {
            self.varargs.push(Arc::from(&values[named..]));
            self.varargs.len() as u32 - 1
        });
        let frame = Frame::new(0, function, base as u32, to, struct_result);
        self.frames.push(Frame { varargs, ..frame });
        Ok(())
    }

    /// Ends the innermost call and hands its result to the caller.
    pub fn give_back(&mut self) -> Option<Halt> {
        let frame = self.frames.pop().expect("a return is made by a frame");
        self.stop_depth = lowered(self.stop_depth, self.frames.len());
        if let (Some(size), Some(to), Some(from)) = (frame.struct_result, frame.to, frame.result)
            && let Some(caller) = self.frames.last()
        {
            let destination = self.registers[(caller.base + to) as usize];
            if let Err(trouble) = self.memory.copy(destination, from, size as usize) {
                self.frames.push(frame);
                return Some(Halt::Trouble(trouble));
            }
        }
        let image = self.images[frame.image].clone();
        for &(slot, _) in &image.functions[frame.function as usize].in_memory {
            self.memory.kill(self.registers[(frame.base + slot) as usize]);
        }
        self.registers.truncate(frame.base as usize);
        let result = if frame.struct_result.is_some() { None } else { frame.result };
        self.deliver(frame.to.filter(|_| frame.struct_result.is_none()), result)
    }

    /// Hands a result to the innermost frame.
    fn deliver(&mut self, to: Option<Slot>, result: Option<u64>) -> Option<Halt> {
        let Some(caller) = self.frames.last_mut() else {
            return self.finish(result.unwrap_or(0) as i32);
        };
        if caller.callback.is_some() {
            return self.continue_callback(result.unwrap_or(0));
        }
        if let Some(to) = to {
            let Some(result) = result else {
                let message = "has no value: the function ended without `return`";
                return Some(Halt::Trouble(Trouble::new(FaultKind::Uninitialised, message)));
            };
            self.registers[(caller.base + to) as usize] = result;
        }
        None
    }

    /// `main` has returned, or `exit` was called: runs what `atexit` was given, last first.
    pub fn finish(&mut self, status: i32) -> Option<Halt> {
        match self.at_exit.pop() {
            Some(function) => {
                self.frames.clear();
                self.registers.clear();
                self.push_callback(Callback::Exit { status }, None);
                self.call_back(function, &[]).err()
            }
            None => {
                self.library.close_all();
                Some(Halt::Exited(status & 0xff))
            }
        }
    }

    // ----- the library -----

    fn library_call(&mut self, entry: u32, call: &Call, values: &[u64]) -> Result<(), Halt> {
        let run = self.links.entries[entry as usize].run;
        match run {
            LibraryRun::Plain(function) => self.plain_call(function, call, values),
            LibraryRun::Special(special) => self.special_call(special, call, values),
            LibraryRun::Unknown => {
                let name = &self.links.entries[entry as usize].name;
                let message = format!(
                    "calls `{name}`, a library function that the interpreter does not have; use the gdb engine"
                );
                Err(Halt::Trouble(Trouble::new(FaultKind::UnknownFunction, message)))
            }
        }
    }

    fn plain_call(&mut self, function: super::library::Function, call: &Call, values: &[u64]) -> Result<(), Halt> {
        // What a patch allocates belongs to none of the program's statements.
        let is_own = self.frames.last().is_none_or(|frame| frame.image == 0);
        let Machine { memory, library, varargs, .. } = self;
        let lists = |memory: &super::memory::Memory, list: u64| rest_of_list(memory, varargs, list);
        let mut context = Context { memory, state: library, step: call.step.filter(|_| is_own), varargs: &lists };
        match function(&mut context, values).map_err(Halt::Trouble)? {
            // `div` and its like answer with the address of a struct.
            Outcome::Value(from) if call.struct_result.is_some() => self.take_struct(call, from).map_err(Halt::Trouble),
            Outcome::Value(value) => self.deliver(call.to, Some(value)).map_or(Ok(()), Err),
            Outcome::Number(value) => {
                let value = call.kind.map_or(value, |kind| super::arithmetic::wrap(kind, value));
                self.deliver(call.to, Some(value)).map_or(Ok(()), Err)
            }
            Outcome::Exit(status) => self.finish(status).map_or(Ok(()), Err),
            Outcome::ExitNow(status) => {
                self.library.close_all();
                Err(Halt::Exited(status & 0xff))
            }
        }
    }

    fn special_call(&mut self, special: Special, call: &Call, values: &[u64]) -> Result<(), Halt> {
        let argument = |i: usize| {
            let missing = || Trouble::new(FaultKind::UnknownFunction, "is called with too few arguments");
            values.get(i).copied().ok_or_else(missing).map_err(Halt::Trouble)
        };
        match special {
            Special::Sort => {
                let (base, count, size) = (argument(0)?, argument(1)?, argument(2)?);
                // A wrong count is told at once, before anything is planned for it.
                let count = if size == 0 { 0 } else { count };
                if count > 0 {
                    let length = usize::try_from(count.saturating_mul(size)).unwrap_or(usize::MAX);
                    self.memory.raw(base, length).map_err(Halt::Trouble)?;
                }
                let callback = callback::sort(base, count, size, argument(3)?);
                self.push_callback(callback, None);
                self.continue_callback(0).map_or(Ok(()), Err)
            }
            Special::Search => {
                let callback = callback::search(argument(0)?, argument(1)?, argument(2)?, argument(3)?, argument(4)?);
                self.push_callback(callback, call.to);
                self.continue_callback(0).map_or(Ok(()), Err)
            }
            Special::AtExit => {
                self.at_exit.push(argument(0)?);
                self.deliver(call.to, Some(0)).map_or(Ok(()), Err)
            }
            Special::VaStart => {
                let list = self.frames.last().and_then(|frame| frame.varargs).map_or(0, |list| u64::from(list) + 1);
                self.set_list(argument(0)?, list, 0).map_err(Halt::Trouble)
            }
            Special::VaCopy => self.memory.copy(argument(0)?, argument(1)?, 24).map_err(Halt::Trouble),
            Special::VaArg => {
                let value = self.next_argument(argument(0)?).map_err(Halt::Trouble)?;
                match call.struct_result {
                    Some(_) => self.take_struct(call, value).map_err(Halt::Trouble),
                    None => {
                        let value = call.kind.map_or(value, |kind| super::arithmetic::wrap(kind, value));
                        self.deliver(call.to, Some(value)).map_or(Ok(()), Err)
                    }
                }
            }
            Special::Nothing => self.deliver(call.to, Some(0)).map_or(Ok(()), Err),
        }
    }

    /// Copies a struct at `from` to where a call wants its result.
    fn take_struct(&mut self, call: &Call, from: u64) -> Result<(), Trouble> {
        let (Some(to), Some(size), Some(frame)) = (call.to, call.struct_result, self.frames.last()) else {
            return Ok(());
        };
        let to = self.registers[(frame.base + to) as usize];
        self.memory.copy(to, from, size as usize)
    }

    /// A `va_list` holds how many arguments were taken, and which call's they are.
    fn set_list(&mut self, list: u64, number: u64, taken: u64) -> Result<(), Trouble> {
        self.memory.store(list, 4, taken)?;
        self.memory.store(list + 4, 4, 0)?;
        self.memory.store(list + 8, 8, 0)?;
        self.memory.store(list + 16, 8, number)
    }

    fn next_argument(&mut self, list: u64) -> Result<u64, Trouble> {
        let (taken, number) = (self.memory.load(list, 4)?, self.memory.load(list + 16, 8)?);
        let arguments = (number as usize).checked_sub(1).and_then(|i| self.varargs.get(i));
        let value = arguments.and_then(|arguments| arguments.get(taken as usize)).copied();
        let missing =
            || Trouble::new(FaultKind::Uninitialised, format!("takes argument {} of a call that has fewer", taken + 1));
        self.memory.store(list, 4, taken + 1)?;
        value.ok_or_else(missing)
    }

    // ----- callbacks -----

    fn push_callback(&mut self, callback: Callback, to: Option<Slot>) {
        let frame = Frame::new(0, 0, self.registers.len() as u32, to, None);
        self.frames.push(Frame { callback: Some(Box::new(callback)), ..frame });
    }

    /// Goes on with the library function on top of the stack, which got `result` from its last call back.
    fn continue_callback(&mut self, result: u64) -> Option<Halt> {
        let frame = self.frames.last_mut().expect("a callback is on top");
        let mut callback = frame.callback.take().expect("a callback is on top");
        let next = callback.next(&mut self.memory, result);
        self.frames.last_mut().expect("a callback is on top").callback = Some(callback);
        match next {
            Err(trouble) => Some(Halt::Trouble(trouble)),
            Ok(Next::Call(function, values)) => self.call_back(function, &values).err(),
            Ok(Next::Done(value)) => {
                let frame = self.frames.pop().expect("a callback is on top");
                self.deliver(frame.to, Some(value))
            }
            Ok(Next::Exit(status)) => {
                self.frames.clear();
                self.finish(status)
            }
        }
    }

    fn call_back(&mut self, function: u64, values: &[u64]) -> Result<(), Halt> {
        match self.pointed_function(function).map_err(Halt::Trouble)? {
            Callee::Own(function) => self.enter(function, values, None, None),
            Callee::Library(entry) => match self.links.entries[entry as usize].run {
                LibraryRun::Plain(function) => {
                    let call = Call {
                        target: Target::Library(entry),
                        arguments: Vec::new(),
                        to: None,
                        struct_result: None,
                        step: None,
                        kind: None,
                    };
                    self.plain_call(function, &call, values)
                }
                _ => {
                    let message = "calls back a library function that the interpreter does not have";
                    Err(Halt::Trouble(Trouble::new(FaultKind::UnknownFunction, message)))
                }
            },
        }
    }
}

/// What a call leads to.
pub enum Callee {
    /// A function of the program.
    Own(u32),
    /// An entry of the library.
    Library(u32),
}

/// The arguments that a `va_list` still has.
fn rest_of_list(memory: &super::memory::Memory, varargs: &[Arc<[u64]>], list: u64) -> Option<Vec<u64>> {
    let (taken, number) = (memory.load(list, 4).ok()?, memory.load(list + 16, 8).ok()?);
    let arguments = varargs.get((number as usize).checked_sub(1)?)?;
    Some(arguments.get(taken as usize..).unwrap_or_default().to_vec())
}
