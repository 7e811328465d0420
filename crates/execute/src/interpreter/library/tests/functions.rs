//! Strings, characters, memory, mathematics and the rest.

use super::{Lab, Outcome, find};
use crate::FaultKind;

#[test]
fn strings_are_copied_and_joined() {
    let mut lab = Lab::new(b"");
    let (hello, world, buffer) = (lab.text(b"hello"), lab.text(b" world"), lab.room(12));
    assert_eq!(lab.value("strcpy", &[buffer, hello]), buffer);
    assert_eq!(lab.value("strcat", &[buffer, world]), buffer);
    assert_eq!(lab.read(buffer), "hello world");
    assert_eq!(lab.call("strcat", &[buffer, world]).map_err(|t| t.kind), Err(FaultKind::OutOfBounds));
    assert_eq!(lab.value("__builtin_strlen", &[buffer]), 11);
    lab.value("strncpy", &[buffer, world, 3]);
    assert_eq!(lab.read(buffer), " wolo world");
    lab.value("strncpy", &[buffer, world, 12]);
    assert_eq!(lab.memory.bytes(buffer, 12).expect("written"), b" world\0\0\0\0\0\0");
    lab.value("strncat", &[buffer, hello, 2]);
    assert_eq!(lab.read(buffer), " worldhe");
    assert_eq!(lab.value("stpcpy", &[buffer, hello]), buffer + 5);
}

#[test]
fn unwritten_bytes_are_noticed() {
    let mut lab = Lab::new(b"");
    let block = lab.value("malloc", &[8]);
    assert_eq!(lab.call("strlen", &[block]).map_err(|t| t.kind), Err(FaultKind::Uninitialised));
    assert_eq!(lab.call("strlen", &[0]).map_err(|t| t.kind), Err(FaultKind::Null));
    let copy = lab.value("malloc", &[8]);
    assert_eq!(lab.value("memcpy", &[copy, block, 8]), copy);
    assert_eq!(lab.memory.load(copy, 1).map_err(|t| t.kind), Err(FaultKind::Uninitialised));
    lab.value("memset", &[copy, 1, 8]);
    assert_eq!(lab.memory.load(copy, 4), Ok(0x0101_0101));
}

#[test]
fn strings_are_compared_and_searched() {
    let mut lab = Lab::new(b"");
    let (apple, cherry, upper, empty) = (lab.text(b"apple"), lab.text(b"cherry"), lab.text(b"APPLE"), lab.text(b""));
    assert_eq!(lab.int("strcmp", &[apple, cherry]), -2);
    assert_eq!(lab.int("strcmp", &[apple, empty]), 97);
    assert_eq!(lab.int("strcasecmp", &[apple, upper]), 0);
    assert_eq!(lab.int("strncmp", &[apple, upper, 0]), 0);
    assert_eq!(lab.value("strchr", &[apple, u64::from(b'p')]), apple + 1);
    assert_eq!(lab.value("strrchr", &[apple, u64::from(b'p')]), apple + 2);
    assert_eq!(lab.value("strchr", &[apple, 0]), apple + 5);
    assert_eq!(lab.value("strchr", &[apple, u64::from(b'z')]), 0);
    let (part, set) = (lab.text(b"PL"), lab.text(b"pa"));
    assert_eq!(lab.value("strstr", &[apple, part]), 0);
    assert_eq!(lab.value("strcasestr", &[apple, part]), apple + 2);
    assert_eq!(lab.value("strstr", &[apple, empty]), apple);
    assert_eq!(lab.value("strspn", &[apple, set]), 3);
    assert_eq!(lab.value("strcspn", &[cherry, set]), 6);
    assert_eq!(lab.value("strpbrk", &[apple, set]), apple);
    assert_eq!(lab.value("memchr", &[apple, u64::from(b'l'), 5]), apple + 3);
    assert_eq!(lab.int("memcmp", &[apple, cherry, 3]), -2);
}

#[test]
fn tokens_are_cut_off_one_by_one() {
    let mut lab = Lab::new(b"");
    let (text, set) = (lab.text(b",a,,bc;d"), lab.text(b",;"));
    let mut found = vec![lab.value("strtok", &[text, set])];
    while found.last() != Some(&0) {
        found.push(lab.value("strtok", &[0, set]));
    }
    assert_eq!(found, [text + 1, text + 4, text + 7, 0]);
    assert_eq!(lab.read(text + 4), "bc");
    assert_eq!(lab.value("strtok", &[0, set]), 0);
}

#[test]
fn blocks_are_allocated_moved_and_freed() {
    let mut lab = Lab::new(b"");
    let block = lab.value("calloc", &[2, 4]);
    assert_eq!(lab.memory.load(block, 8), Ok(0));
    lab.memory.store(block, 4, 5).expect("inside");
    let larger = lab.value("realloc", &[block, 16]);
    assert_ne!(larger, block);
    assert_eq!(lab.memory.load(larger, 4), Ok(5));
    assert_eq!(lab.memory.load(larger + 8, 4).map_err(|t| t.kind), Err(FaultKind::Uninitialised));
    assert_eq!(lab.memory.load(block, 4).map_err(|t| t.kind), Err(FaultKind::Dangling));
    assert_eq!(lab.call("free", &[block]).map_err(|t| t.kind), Err(FaultKind::DoubleFree));
    assert_eq!(lab.call("realloc", &[larger + 4, 1]).map_err(|t| t.kind), Err(FaultKind::InvalidFree));
    assert_eq!(lab.value("realloc", &[larger, 0]), 0);
    assert_eq!(lab.call("free", &[larger]).map_err(|t| t.kind), Err(FaultKind::DoubleFree));
    lab.value("free", &[0]);
    assert_eq!(lab.value("malloc", &[u64::MAX]), 0);
    assert_eq!(lab.value("calloc", &[1 << 40, 1 << 40]), 0);
    assert_ne!(lab.value("malloc", &[0]), 0);
}

#[test]
fn characters_have_the_classes_of_glibc() {
    let mut lab = Lab::new(b"");
    let table = lab.value("__ctype_b_loc", &[]);
    let table = lab.memory.load(table, 8).expect("a pointer");
    for character in -128..256i64 {
        let register = character as u64;
        let entry = lab.memory.load(table.wrapping_add_signed(2 * character), 2).expect("in the table");
        assert_eq!(lab.int("isalpha", &[register]), (entry & 1024) as i32);
        // SAFETY: glibc's tables reach from -128 to 255.
        let expected = unsafe {
            [
                (libc::isalpha(character as i32), lab.int("isalpha", &[register])),
                (libc::isalnum(character as i32), lab.int("isalnum", &[register])),
                (libc::isspace(character as i32), lab.int("isspace", &[register])),
                (libc::isupper(character as i32), lab.int("isupper", &[register])),
                (libc::islower(character as i32), lab.int("islower", &[register])),
                (libc::ispunct(character as i32), lab.int("ispunct", &[register])),
                (libc::isprint(character as i32), lab.int("isprint", &[register])),
                (libc::isgraph(character as i32), lab.int("isgraph", &[register])),
                (libc::iscntrl(character as i32), lab.int("iscntrl", &[register])),
                (libc::isxdigit(character as i32), lab.int("isxdigit", &[register])),
                (libc::isblank(character as i32), lab.int("isblank", &[register])),
                (libc::toupper(character as i32), lab.int("toupper", &[register])),
                (libc::tolower(character as i32), lab.int("tolower", &[register])),
            ]
        };
        // The compiler replaces `isdigit` by a comparison, so glibc cannot be asked.
        let digit = (48..58).contains(&character);
        assert_eq!(lab.int("isdigit", &[register]), if digit { 2048 } else { 0 });
        for (glibc, ours) in expected {
            assert_eq!(ours, glibc, "of {character}");
        }
    }
}

#[test]
fn mathematics_is_that_of_the_system() {
    unsafe extern "C" {
        safe fn remainder(x: f64, y: f64) -> f64;
        safe fn ldexp(x: f64, power: i32) -> f64;
        safe fn sinf(x: f32) -> f32;
    }
    let mut lab = Lab::new(b"");
    for (x, y) in [(2.0, 0.5), (-7.5, 2.0), (5.0, 2.0), (7.0, 2.0), (1e300, 3.7), (1e-310, 3e-311), (0.1, 1e-5)] {
        let (a, b) = (f64::to_bits(x), f64::to_bits(y));
        assert_eq!(lab.value("pow", &[a, b]), f64::powf(x, y).to_bits());
        assert_eq!(lab.value("fmod", &[a, b]), (x % y).to_bits());
        assert_eq!(lab.value("remainder", &[a, b]), remainder(x, y).to_bits(), "{x} and {y}");
        assert_eq!(lab.value("sinf", &[f64::from(x as f32).to_bits()]), f64::from(sinf(x as f32)).to_bits());
        for power in [0, 3, -3, 900, -1040, -2000, 2000] {
            assert_eq!(lab.value("ldexp", &[a, power as i64 as u64]), ldexp(x, power).to_bits(), "{x} and {power}");
        }
    }
    let place = lab.room(4);
    assert_eq!(lab.value("frexp", &[48f64.to_bits(), place]), 0.75f64.to_bits());
    assert_eq!(lab.memory.load(place, 4), Ok(6));
    let place = lab.room(8);
    assert_eq!(lab.value("modf", &[(-2.25f64).to_bits(), place]), (-0.25f64).to_bits());
    assert_eq!(lab.memory.load(place, 8), Ok((-2f64).to_bits()));
    assert_eq!(lab.int("lround", &[(-2.5f64).to_bits()]), -3);
    assert_eq!(lab.value("sqrtl", &[2f64.to_bits()]), 2f64.sqrt().to_bits());
    assert_eq!(lab.int("__isinf", &[f64::NEG_INFINITY.to_bits()]), -1);
}

#[test]
fn programs_end() {
    let mut lab = Lab::new(b"");
    assert_eq!(lab.call("exit", &[256 + 3]), Ok(Outcome::Exit(3)));
    assert_eq!(lab.call("_exit", &[u64::MAX]), Ok(Outcome::ExitNow(255)));
    assert_eq!(lab.call("abort", &[]).map_err(|t| t.kind), Err(FaultKind::Abort));
    let (condition, file, function) = (lab.text(b"x > 0"), lab.text(b"prog.c"), lab.text(b"main"));
    lab.state.program = "prog".into();
    let trouble = lab.call("__assert_fail", &[condition, file, 12, function]).expect_err("it fails");
    assert_eq!(trouble.kind, FaultKind::Assert);
    assert!(trouble.message.contains("x > 0"));
    assert_eq!(lab.state.errors(), b"prog: prog.c:12: main: Assertion `x > 0' failed.\n");
}

#[test]
fn functions_have_further_names() {
    let names = ["__builtin_memcpy", "__memcpy_chk", "__builtin___strcpy_chk", "__isoc99_sscanf", "__builtin_abs"];
    for name in names {
        assert!(find(name).is_some(), "{name}");
    }
    assert!(find("__fgets_chk").is_none());
    assert!(find("no_such_function").is_none());
}

#[test]
fn lists_of_arguments_come_from_the_machine() {
    let mut lab = Lab::new(b"");
    let (format, list) = (lab.text(b"%d-%d"), lab.room(8));
    lab.memory.store(list, 8, 9).expect("inside");
    assert_eq!(lab.int("vprintf", &[format, list]), 3);
    assert_eq!(lab.output(), "9-9");
    assert_eq!(lab.call("vprintf", &[format, 0]).map_err(|t| t.kind), Err(FaultKind::Uninitialised));
}
