//! Numbers from text, and random numbers, against glibc's.

use std::ffi::CString;

use super::{Dice, Lab};

fn literal(dice: &mut Dice, alphabet: &[u8]) -> String {
    let length = 1 + dice.below(24);
    (0..length).map(|_| char::from(dice.pick(alphabet))).collect()
}

#[test]
fn strtol_reads_as_in_glibc() {
    let mut dice = Dice(7);
    for _ in 0..20_000 {
        let text = literal(&mut dice, b" -+00011223456789abfzxXg");
        let base = dice.pick(&[0, 10, 10, 16, 8, 2, 36, 7]);
        let mut lab = Lab::new(b"");
        let (start, end) = (lab.text(text.as_bytes()), lab.room(8));
        let native = CString::new(text.clone()).expect("no NUL");
        let mut stop = std::ptr::null_mut();
        for name in ["strtol", "strtoul"] {
            let value = lab.value(name, &[start, end, base as u64]);
            let length = lab.memory.load(end, 8).expect("stored") - start;
            // SAFETY: both pointers are valid for the call.
            let expected = unsafe {
                match name {
                    "strtol" => libc::strtol(native.as_ptr(), &mut stop, base) as u64,
                    _ => libc::strtoul(native.as_ptr(), &mut stop, base),
                }
            };
            let expected_length = stop as u64 - native.as_ptr() as u64;
            assert_eq!((value, length), (expected, expected_length), "{name} of {text:?} in base {base}");
        }
    }
}

#[test]
fn strtod_reads_as_in_glibc() {
    let mut dice = Dice(8);
    for round in 0..40_000 {
        let text = match round % 4 {
            0 => literal(&mut dice, b"0123456789.e-+ "),
            1 => format!("{}e{}", literal(&mut dice, b"0123456789."), dice.below(700) as i64 - 350),
            2 => format!("0x{}p{}", literal(&mut dice, b"0123456789abcdef.88000"), dice.below(2200) as i64 - 1100),
            _ => literal(&mut dice, b"infatyINFnxX0p.1()e-+"),
        };
        let mut lab = Lab::new(b"");
        let (start, end) = (lab.text(text.as_bytes()), lab.room(8));
        let native = CString::new(text.clone()).expect("no NUL");
        let mut stop = std::ptr::null_mut();
        let value = f64::from_bits(lab.value("strtod", &[start, end]));
        let length = lab.memory.load(end, 8).expect("stored") - start;
        // SAFETY: both pointers are valid for the call.
        let expected = unsafe { libc::strtod(native.as_ptr(), &mut stop) };
        let same = value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan();
        assert!(same, "{text:?} is {value:e}, in glibc {expected:e}");
        assert_eq!(length, stop as u64 - native.as_ptr() as u64, "the length of {text:?}");
        let single = f64::from_bits(lab.value("strtof", &[start, 0]));
        // SAFETY: as above.
        let expected = unsafe { libc::strtof(native.as_ptr(), &mut stop) };
        if round % 4 != 2 {
            let same = (single as f32).to_bits() == expected.to_bits() || single.is_nan() && expected.is_nan();
            assert!(same, "{text:?} as a float is {single:e}, in glibc {expected:e}");
        }
    }
}

#[test]
fn rand_gives_the_same_numbers_as_glibc() {
    let mut lab = Lab::new(b"");
    for seed in [None, Some(0u32), Some(1), Some(42), Some(12345), Some(u32::MAX), Some(0x8000_0000)] {
        if let Some(seed) = seed {
            lab.value("srand", &[seed.into()]);
        }
        // SAFETY: only this test uses the generator.
        unsafe { libc::srand(seed.unwrap_or(1)) };
        for _ in 0..400 {
            // SAFETY: as above.
            let expected = unsafe { libc::rand() };
            assert_eq!(lab.int("rand", &[]), expected, "with the seed {seed:?}");
        }
    }
}

#[test]
fn rand_r_and_drand48_are_as_in_glibc() {
    unsafe extern "C" {
        fn rand_r(seed: *mut u32) -> i32;
    }
    let mut lab = Lab::new(b"");
    let place = lab.room(4);
    lab.memory.store(place, 4, 99).expect("inside");
    let mut seed = 99;
    lab.value("srand48", &[17]);
    // SAFETY: only this test uses the generator.
    unsafe { libc::srand48(17) };
    for _ in 0..200 {
        // SAFETY: the seed is a live variable, and only this test uses the other generator.
        let (expected, wide, fraction) = unsafe { (rand_r(&mut seed), libc::lrand48(), libc::drand48()) };
        assert_eq!(lab.int("rand_r", &[place]), expected);
        assert_eq!(lab.int("lrand48", &[]), wide as i32);
        assert_eq!(lab.value("drand48", &[]), fraction.to_bits());
    }
}

#[test]
fn div_gives_the_address_of_both_numbers() {
    let mut lab = Lab::new(b"");
    let result = lab.value("div", &[(-7i64) as u64, 2]);
    assert_eq!(lab.memory.load(result, 4), Ok((-3i32) as u32 as u64));
    assert_eq!(lab.memory.load(result + 4, 4), Ok((-1i32) as u32 as u64));
    let trouble = lab.call("div", &[1, 0]).expect_err("by zero");
    assert_eq!(trouble.kind, crate::FaultKind::DivisionByZero);
}

#[test]
fn atoi_and_atof_read_what_is_there() {
    let mut lab = Lab::new(b"");
    for (text, number) in [("12abc", 12), ("  -7", -7), ("", 0), ("4294967298", 2), ("x", 0)] {
        let text = lab.text(text.as_bytes());
        assert_eq!(lab.int("atoi", &[text]), number);
    }
    let text = lab.text(b"2.5kg");
    assert_eq!(lab.value("atof", &[text]), 2.5f64.to_bits());
}
