//! Enum constants, names of types and macros, as those who use a program know them.

use std::sync::Arc;

use c_syntax::*;

fn unit(text: &str) -> Unit {
    parse_text(Arc::new(Source::new("a.c", text.as_bytes().to_vec()))).expect("a correct program")
}

const CONSTANTS: &str = "
#include <stdio.h>
enum color { RED, GREEN, BLUE = 7, INDIGO, /* last */ VIOLET };
enum { LOW = -3, NEXT, COMPUTED = BLUE * 2 + sizeof(int), SHIFTED = 1 << VIOLET, CHARACTER = 'a' };
typedef enum { OFF = RED ? 5 : -5, ON } power;
struct holder { enum { INNER = 11 } kind; };
enum { LARGE = 1L << 40, UNSIGNED = 0x80000000 };
int f(void) { enum { LOCAL = LOW - 1, RED = 42 }; { enum { DEEP = 6 } x = DEEP; return x + LOCAL; } }
int g(void) { enum { LOCAL = 9 }; return LOCAL; }
";

#[test]
fn enum_constants_have_their_values() {
    let unit = unit(CONSTANTS);
    for (name, value) in [
        ("RED", 0),
        ("GREEN", 1),
        ("BLUE", 7),
        ("INDIGO", 8),
        ("VIOLET", 9),
        ("LOW", -3),
        ("NEXT", -2),
        ("COMPUTED", 18),
        ("SHIFTED", 512),
        ("CHARACTER", 97),
        ("OFF", -5),
        ("ON", -4),
        ("INNER", 11),
        ("LARGE", 1 << 40),
        ("UNSIGNED", 0x8000_0000),
    ] {
        assert_eq!(unit.names.constants.find("g", name), Some(value), "{name}");
    }
    assert_eq!(unit.names.constants.find("g", "stdout"), None);
}

#[test]
fn constants_of_functions_are_theirs() {
    let unit = unit(CONSTANTS);
    let find = |function, name| unit.names.constants.find(function, name);
    assert_eq!((find("f", "LOCAL"), find("g", "LOCAL"), find("", "LOCAL")), (Some(-4), Some(9), None));
    assert_eq!((find("f", "RED"), find("g", "RED")), (Some(42), Some(0)));
    assert_eq!((find("f", "DEEP"), find("g", "DEEP")), (Some(6), None));
}

#[test]
fn names_of_types_are_known() {
    let unit = unit(
        "
#include <stdint.h>
struct node { int data; struct node *next; };
typedef struct node node_t;
typedef node_t *list, row[4];
typedef list lists[3];
typedef struct { int x; } point;
typedef union { int i; float f; } either;
typedef int (*compare)(const void *, const void *);
typedef void action(int);
typedef unsigned char byte;
typedef byte letter;
typedef enum { LOW = -1, HIGH } level;
typedef enum { A, B } plain;
enum __attribute__((packed)) small { S };
enum large { L = 1L << 40 };
int f(void) { typedef long node_t; node_t x = 3; return x; }
",
    );
    for (name, ty) in [
        ("node_t", "struct node"),
        ("list", "struct node *"),
        ("row", "struct node [4]"),
        ("lists", "struct node *[3]"),
        ("point", "struct point"),
        ("either", "union either"),
        ("compare", "int (*)(void *, void *)"),
        ("action", "void (int)"),
        ("byte", "unsigned char"),
        ("letter", "unsigned char"),
        ("level", "int"),
        ("plain", "unsigned int"),
        ("enum small", "unsigned char"),
        ("enum large", "unsigned long"),
        ("uint16_t", "unsigned short"),
    ] {
        let found = unit.names.types.find("main", name).map(|ty| unit.types.name(ty));
        assert_eq!(found.as_deref(), Some(ty), "{name}");
    }
    let local = unit.names.types.find("f", "node_t").map(|ty| unit.types.name(ty));
    assert_eq!(local.as_deref(), Some("long"));
}

#[test]
fn macros_are_those_of_the_file() {
    let unit = unit("#include <stdio.h>\n#define MAX 10 // most\n#define TWICE(x) ((x) * 2)\nint x = MAX;\n");
    let macros: Vec<(&str, &str)> = unit.names.macros.iter().map(|(name, body)| (&**name, &**body)).collect();
    assert_eq!(macros, [("MAX", "10")]);
}
