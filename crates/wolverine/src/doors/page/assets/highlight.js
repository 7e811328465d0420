// The colours of C.

const KEYWORDS = new Set(
  ("auto break case const continue default do else enum extern for goto if inline register restrict return sizeof " +
    "static struct switch typedef union volatile while _Bool _Static_assert").split(" "),
);
const TYPES = new Set("char double float int long short signed unsigned void bool size_t FILE".split(" "));
const TOKEN =
  /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(^\s*#.*)|([A-Za-z_]\w*)|(\d[\w.]*)/g;

/** The lines of a program, each as a list of `[class, text]`. */
export function highlight(text) {
  let inComment = false;
  return text.split("\n").map((line) => {
    const pieces = [];
    let at = 0;
    const add = (kind, end) => {
      if (end > at) pieces.push([kind, line.slice(at, end)]);
      at = Math.max(at, end);
    };
    if (inComment) {
      const end = line.indexOf("*/");
      add("comment", end < 0 ? line.length : end + 2);
      inComment = end < 0;
    }
    TOKEN.lastIndex = at;
    for (let found = TOKEN.exec(line); found && !inComment; found = TOKEN.exec(line)) {
      add("", found.index);
      add(kindOf(found), TOKEN.lastIndex);
      inComment = found[1]?.startsWith("/*") && !found[1].endsWith("*/");
    }
    add("", line.length);
    return pieces;
  });
}

function kindOf([, comment, string, directive, word]) {
  if (comment) return "comment";
  if (string) return "string";
  if (directive) return "directive";
  if (word) return KEYWORDS.has(word) ? "keyword" : TYPES.has(word) ? "type" : word === "NULL" ? "number" : "";
  return "number";
}
