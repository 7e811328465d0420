//! No function panics, whatever a program passes to it.

use super::super::TABLE;
use super::{Dice, Lab};

/// Registers that programs should not pass, but do.
fn registers(lab: &mut Lab) -> Vec<u64> {
    // No part of this is the name of a file, nor a mode that would make one.
    let text = lab.text(b"/no/such/%s %d %5.3f %n %[a-z] %*.*g %p 12");
    let mode = lab.text(b"r");
    let (room, empty) = (lab.room(16), lab.room(0));
    let block = lab.value("malloc", &[8]);
    let freed = lab.value("malloc", &[8]);
    lab.value("free", &[freed]);
    let mut all = vec![0, 1, 2, 31, 255, u64::MAX, i64::MAX as u64, i64::MIN as u64, 0xffff_ffff, 0x7fff_ffff];
    all.extend([0x1_0000_0000, 0x2000_0000_0000_0000, 0x2000_ffff_4000_0000, 0xdead_beef_dead_beef]);
    all.extend([
        mode,
        text,
        text + 3,
        text - 1,
        text + 1000,
        room,
        room + 15,
        room + 17,
        empty,
        block,
        block + 4,
        freed,
    ]);
    all.extend([lab.stdin, lab.stdout, 1.5f64.to_bits(), f64::NAN.to_bits(), (-1e300f64).to_bits()]);
    all
}

#[test]
fn no_function_panics() {
    let mut names: Vec<_> = TABLE.keys().copied().collect();
    names.sort_unstable();
    assert!(names.len() > 300, "{} functions", names.len());
    let mut dice = Dice(11);
    for name in names {
        for round in 0..300 {
            let mut lab = Lab::new(b"12 abc 3.5\nmore\n");
            let registers = registers(&mut lab);
            let count = if round < 10 { round } else { 1 + dice.below(7) };
            let args: Vec<u64> = (0..count).map(|_| dice.pick(&registers)).collect();
            // The answer does not matter, only that there is one.
            let _ = lab.call(name, &args);
            lab.state.close_all();
        }
    }
}

#[test]
fn wild_formats_do_no_harm() {
    let mut dice = Dice(12);
    let alphabet = b"%%%%%%%0123456789$*.-+ #'hlLzjtdiuxXocspfFeEgGaAn[]^m";
    for _ in 0..20_000 {
        let mut lab = Lab::new(b"12 abc 3.5\nmore\n");
        let format: Vec<u8> = (0..dice.below(12)).map(|_| dice.pick(alphabet)).collect();
        let (format, registers) = (lab.text(&format), registers(&mut lab));
        let args: Vec<u64> = (0..dice.below(5)).map(|_| dice.pick(&registers)).collect();
        for name in ["printf", "scanf"] {
            let _ = lab.call(name, &[&[format], args.as_slice()].concat());
        }
    }
}
