//! What a program is asked for by name: constants, types and macros.

use std::sync::Arc;

use c_syntax::Source;

#[test]
fn names_come_with_the_program() {
    let text = "
#define MAX 10 /* most */
enum color { RED, BLUE = MAX - 1 };
typedef struct node { struct node *next; } node_t, *list;
int main(void) {
    enum { OWN = -1 };
    list first = 0;
    list *all = &first;
    return OWN + (all != 0);
}
";
    let program = ir::load_text(Arc::new(Source::new("a.c", text.as_bytes().to_vec()))).expect("a correct program");
    let names = &program.names;
    assert_eq!((names.constants.find("main", "BLUE"), names.constants.find("main", "OWN")), (Some(9), Some(-1)));
    assert_eq!(names.constants.find("elsewhere", "OWN"), None);
    assert_eq!(names.macros.get("MAX").map(String::as_str), Some("10"));
    // Lowering adds types; those that have names keep their numbers.
    let ty = |name| names.types.find("main", name).map(|ty| program.types.name(ty)).unwrap_or_default();
    assert_eq!(
        (ty("node_t"), ty("list"), ty("enum color")),
        ("struct node".into(), "struct node *".into(), "unsigned int".into())
    );
}
