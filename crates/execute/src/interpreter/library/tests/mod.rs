//! Tests of the C library, many of them against the real one.

mod files;
mod functions;
mod garbage;
mod numbers;
mod printf;
mod scanf;

use super::super::memory::{Address, Kind, Memory, Trouble};
use super::{Context, Outcome, State, find};
use crate::{Input, Output};

/// A memory and a state to call functions in.
struct Lab {
    memory: Memory,
    state: State,
    stdin: Address,
    stdout: Address,
}

impl Lab {
    fn new(input: &[u8]) -> Lab {
        let state = State::new(&Input::Bytes(input.to_vec()), Output::Capture).expect("bytes can be read");
        let mut lab = Lab { memory: Memory::new(1 << 28), state, stdin: 0, stdout: 0 };
        let streams = [(); 3].map(|()| lab.memory.create(0, Kind::Outside).expect("there is room"));
        lab.state.set_streams(streams[0], streams[1], streams[2]);
        (lab.stdin, lab.stdout) = (streams[0], streams[1]);
        lab
    }

    fn call(&mut self, name: &str, args: &[u64]) -> Result<Outcome, Trouble> {
        let function = find(name).unwrap_or_else(|| panic!("there is no {name}"));
        let varargs = |memory: &Memory, list: Address| memory.load(list, 8).ok().map(|value| vec![value; 3]);
        let mut context =
            Context { memory: &mut self.memory, state: &mut self.state, step: Some(7), varargs: &varargs };
        function(&mut context, args)
    }

    /// The register that a call returns.
    fn value(&mut self, name: &str, args: &[u64]) -> u64 {
        match self.call(name, args) {
            Ok(Outcome::Value(value)) => value,
            other => panic!("{name} gives {other:?}"),
        }
    }

    /// The `int` that a call returns.
    fn int(&mut self, name: &str, args: &[u64]) -> i32 {
        let value = self.value(name, args);
        assert_eq!(value, value as i32 as i64 as u64, "{name} returns a canonical int");
        value as i32
    }

    fn text(&mut self, text: &[u8]) -> Address {
        let bytes = [text, b"\0"].concat();
        self.memory.create_with(&bytes, Kind::Local).expect("there is room")
    }

    fn room(&mut self, size: u64) -> Address {
        self.memory.create(size, Kind::Local).expect("there is room")
    }

    fn read(&self, address: Address) -> String {
        String::from_utf8_lossy(self.memory.text(address).expect("text")).into_owned()
    }

    fn output(&self) -> String {
        String::from_utf8_lossy(self.state.output()).into_owned()
    }
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11) % limit
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }
}
