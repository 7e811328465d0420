//! The IR of some programs, as text. After a change that is meant:
//! `UPDATE_EXPECT=1 cargo test -p ir --test golden`, and read the difference.

use std::path::Path;

use expect_test::expect_file;

const MANIFEST: &str = env!("CARGO_MANIFEST_DIR");

fn check(program: &str) {
    let path = Path::new(MANIFEST).join("../../programs").join(program);
    let program = ir::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.file_stem().expect("a C file has a name").to_string_lossy().into_owned();
    let printed = ir::print(&program);
    let notices: String = program.notices.iter().map(|notice| format!("note: {}\n", notice.message)).collect();
    // `assert` puts the path of the file into the program.
    let text = printed.replace(&*path.to_string_lossy(), &format!("{name}.c")) + &notices;
    expect_file![Path::new(MANIFEST).join(format!("tests/golden/{name}.ir"))].assert_eq(&text);
}

macro_rules! golden {
    ($($test:ident: $path:literal,)*) => {
        $(#[test]
        fn $test() {
            check($path);
        })*
    };
}

golden! {
    b01_reverse_singly: "small/b01_reverse_singly.c",
    b02_reverse_doubly: "small/b02_reverse_doubly.c",
    b05_sorted_insert_singly: "small/b05_sorted_insert_singly.c",
    b13_avl_right_rotation: "small/b13_avl_right_rotation.c",
    l02_remove_duplicates: "large/l02_remove_duplicates.c",
    l16_quicksort_list: "large/l16_quicksort_list.c",
    assert: "features/crash_assert.c",
    bit_fields: "features/bit_fields.c",
    compound_assignment: "features/compound_assignment.c",
    compound_literals: "features/compound_literals.c",
    designated_initialisers: "features/designated_initialisers.c",
    function_pointers: "features/function_pointers.c",
    goto_all: "features/goto_all.c",
    macros_basic: "features/macros_basic.c",
    macros_places: "features/macros_places.c",
    ptr_to_ptr_push: "features/ptr_to_ptr_push.c",
    short_circuit: "features/short_circuit.c",
    statement_expression: "features/gnu_statement_expression.c",
    struct_by_value: "features/struct_by_value.c",
    switch_duff: "features/switch_duff.c",
    switch_fallthrough: "features/switch_fallthrough.c",
    ternary: "features/ternary.c",
    variadic: "features/variadic.c",
    vla: "features/vla.c",
}
