//! Random C functions over lists: assignments, fields, `if`s, a loop, calls.

/// A random number generator that is the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

const POINTERS: [&str; 4] = ["a", "b", "p", "q"];

/// A file with so many functions `f0`, `f1`, …; `main` calls the one with the
/// number of its arguments.
pub fn file(random: &mut Random, functions: usize) -> String {
    let mut text = String::from(
        "#include <stdlib.h>\n\
         struct node { int data; struct node *next; struct node *prev; };\n\
         struct node *root;\n\
         struct node *second(struct node *x) {\n  if (x == NULL) {\n    return NULL;\n  }\n  return x->next;\n}\n\
         void set(struct node **to, struct node *x) {\n  *to = x;\n}\n\
         struct node *last(struct node *x) {\n  if (x == NULL || x->next == NULL) {\n    return x;\n  }\n  return last(x->next);\n}\n\
         struct node *behind(struct node *x) {\n  struct node *y = x;\n  if (x != NULL) {\n    set(&y, x->next);\n  }\n  return y;\n}\n\
         struct node *build(int n) {\n  struct node *list = NULL;\n  for (int i = n; i > 0; i--) {\n    struct node *x = malloc(sizeof(struct node));\n    x->data = i;\n    x->next = list;\n    x->prev = NULL;\n    if (list != NULL) {\n      list->prev = x;\n    }\n    list = x;\n  }\n  return list;\n}\n",
    );
    for i in 0..functions {
        text += &function(random, i);
    }
    text += "int main(int argc, char **argv) {\n  root = build(3);\n  switch (argc - 1) {\n";
    for i in 0..functions {
        text += &format!("  case {i}: f{i}(root, root->next, argc); break;\n");
    }
    text + "  }\n  return 0;\n}\n"
}

fn function(random: &mut Random, number: usize) -> String {
    let mut text = format!(
        "void f{number}(struct node *a, struct node *b, int n) {{\n  struct node *p = a;\n  struct node *q = NULL;\n  int i = 0;\n  int k = {};\n",
        random.below(4)
    );
    let uses_address = random.below(4) == 0;
    if uses_address {
        text += "  struct node **to = &root;\n";
    }
    for _ in 0..2 + random.below(4) {
        text += &statement(random, 1, uses_address);
    }
    match random.below(4) {
        0 => {}
        1 => {
            let body: String = (0..1 + random.below(2)).map(|_| statement(random, 2, uses_address)).collect();
            text += &format!("  while (p != NULL && i < 2) {{\n{body}    p = p->next;\n    i = i + 1;\n  }}\n");
        }
        _ => {
            let rounds = 1 + random.below(3);
            let leave = match random.below(4) {
                0 => format!("    if ({}) {{\n      break;\n    }}\n", condition(random)),
                1 => format!("    if ({}) {{\n      i = i + 1;\n      continue;\n    }}\n", condition(random)),
                _ => String::new(),
            };
            let body: String = (0..1 + random.below(3)).map(|_| statement(random, 2, uses_address)).collect();
            text += &format!("  while (i < {rounds}) {{\n{leave}{body}    i = i + 1;\n  }}\n");
        }
    }
    if random.below(5) == 0 {
        text += &format!("  if ({}) {{\n    return;\n  }}\n", condition(random));
    }
    for _ in 0..random.below(3) {
        text += &statement(random, 1, uses_address);
    }
    text + "}\n"
}

fn statement(random: &mut Random, depth: usize, uses_address: bool) -> String {
    let indent = "  ".repeat(depth);
    let pointer = |random: &mut Random| *random.pick(&POINTERS);
    let source = |random: &mut Random| match random.below(5) {
        0 => "NULL".to_string(),
        1 | 2 => pointer(random).to_string(),
        _ => format!("{}->{}", pointer(random), random.pick(&["next", "prev"])),
    };
    let text = match random.below(16) {
        0..=4 => format!("{} = {};", random.pick(&["p", "q", "root"]), source(random)),
        5..=7 => format!("{}->{} = {};", pointer(random), random.pick(&["next", "prev"]), source(random)),
        8 => format!("{}->data = {}->data + {};", pointer(random), pointer(random), random.below(3)),
        9 => format!("k = k {} {};", random.pick(&["+", "-", "*"]), random.pick(&["n", "i", "2"])),
        10 => format!("q = {}({});", random.pick(&["second", "second", "last", "behind"]), pointer(random)),
        11 if uses_address => format!("set(&q, {});", pointer(random)),
        13 if uses_address => format!("to = &{}->next;", random.pick(&["(*to)", "p", "a"])),
        14 if uses_address => format!("(*to)->prev = {};", pointer(random)),
        12 => "q = malloc(sizeof(struct node));".to_string(),
        _ if depth > 2 => "k = i;".to_string(),
        _ => {
            let then = statement(random, depth + 1, uses_address);
            let otherwise = match random.below(2) {
                0 => String::new(),
                _ => format!(" else {{\n{}{indent}}}", statement(random, depth + 1, uses_address)),
            };
            format!("if ({}) {{\n{then}{indent}}}{otherwise}", condition(random))
        }
    };
    format!("{indent}{text}\n")
}

fn condition(random: &mut Random) -> String {
    let pointer = *random.pick(&POINTERS);
    match random.below(5) {
        0 => format!("{pointer} != NULL"),
        1 => format!("{pointer} == {}", random.pick(&POINTERS)),
        2 => format!("{pointer} != NULL && {pointer}->next != NULL"),
        3 => format!("k {} {}", random.pick(&["<", ">=", "=="]), random.pick(&["i", "n", "1"])),
        _ => format!("{pointer} == NULL || {pointer}->data > {}", random.below(3)),
    }
}
