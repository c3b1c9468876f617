import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import released from "./released-migrations.json" with { type: "json" };

/** Words that comments, test names and identifiers do not use; docs/glossary.md has the words to use instead. */
const REFUSED =
  /\b(?:anew|besides|who(?:m)?ever|ours|lies|lets go|for ever|came of|stood|what (?:is|was|came|stands)|told|tells|asked|thrifty|dies|trail|drawer|gallery|standing|wish)\b/i;
const REFUSED_IN_NAMES =
  /(?:(?:^|_)(?:anew|besides|whoever|trail|drawer|gallery|standing|wish)|(?:Anew|Besides|Whoever|Trail|Drawer|Gallery|Standing|Wish))(?:s|es)?(?![a-z])/;
/** The start of a clause without a main verb; a question may start like this. */
const HEADLESS = /^(?:What|Who|Whoever|Whose|Whom|Whether|How|Where)\b/i;

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/.source;
const REGULAR_EXPRESSION = /(?<=[=(,:!&|?{};[]\s*|\breturn\s+|=>\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n[])+\/[a-z]*/.source;
const TEST_NAME = /\b(?:test|describe|testScreen|describe[A-Z]\w*)(?:\.\w+(?:\([^()]*\))?)*\(\s*$/;
const IDENTIFIER = /\b(?:const|let|function|class|interface|type|enum)\s+([A-Za-z_]\w*)|^\s*(?:readonly\s+)?([A-Za-z_]\w*)\??:/gm;

interface Finding {
  file: string;
  line: number;
  text: string;
}

/** Finds refused words and headless sentences in one file. */
export function findWords(file: string, source: string): Finding[] {
  const found: Finding[] = [];
  const report = (index: number, text: string): void => {
    found.push({ file, line: source.slice(0, index).split("\n").length, text: text.replaceAll(/\s+/g, " ").slice(0, 110) });
  };
  let code = source;
  for (const { start, text, kind } of pieces(file, source)) {
    code = blank(code, start, text);
    if (kind === "comment") {
      for (const [sentence, at] of sentences(text)) {
        if (HEADLESS.test(sentence) && !sentence.includes("?")) report(start + at, sentence);
        else if (REFUSED.test(sentence)) report(start + at, sentence);
      }
    } else if (TEST_NAME.test(source.slice(Math.max(0, start - 200), start))) {
      const name = text.slice(1, -1);
      if ((HEADLESS.test(name) && !name.includes("?")) || REFUSED.test(name)) report(start, name);
    }
  }
  if (/\.tsx?$/.test(file))
    for (const match of code.matchAll(IDENTIFIER)) {
      const name = match[1] ?? match[2] ?? "";
      if (REFUSED_IN_NAMES.test(name)) report(match.index, name);
    }
  return found;
}

interface Piece {
  start: number;
  text: string;
  kind: "comment" | "string";
}

/** The comments, strings and regular expressions of a file; the marks of one inside another are ignored. */
function pieces(file: string, source: string): Piece[] {
  const comment = file.endsWith(".sql")
    ? /--[^\n]*(?:\n[ \t]*--[^\n]*)*/.source
    : /\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/.source;
  const patterns = file.endsWith(".sql") ? [`(${comment})`, "'(?:''|[^'])*'"] : [`(${comment})`, REGULAR_EXPRESSION, STRING];
  return [...source.matchAll(new RegExp(patterns.join("|"), "g"))].map((match) => ({
    start: match.index,
    text: match[0],
    kind: match[1] === undefined ? "string" : "comment",
  }));
}

/** The sentences of a comment, each with its index. */
function sentences(comment: string): [sentence: string, index: number][] {
  const plain = comment.replaceAll(/\/\*\*?|\*\/|\/\/\/?|--|^[ \t]*\*/gm, (mark) => " ".repeat(mark.length));
  return [...plain.matchAll(/\S(?:(?![.!?](?:\s|$)|\n\s*\n)[\s\S])*[.!?]?/g)].map((match) => [
    match[0].replaceAll(/\s+/g, " "),
    match.index,
  ]);
}

function blank(code: string, start: number, text: string): string {
  return code.slice(0, start) + text.replaceAll(/[^\n]/g, " ") + code.slice(start + text.length);
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  // A released migration is never edited.
  const files = globSync("{backend,bench,content,e2e,operations,scripts,server,site,supabase,torture}/**/*.{ts,tsx,mjs,css,sql}", {
    cwd: root,
    exclude: ["**/{node_modules,build,.*}", "scripts/words.*", "supabase/database.types.ts", ...Object.keys(released)],
  });
  const found = files.toSorted().flatMap((file) => findWords(file, readFileSync(join(root, file), "utf8")));
  if (process.argv.includes("--report")) {
    const counts = Map.groupBy(found, ({ file }) => dirname(file));
    for (const [folder, { length }] of [...counts]) console.log(`${String(length).padStart(5)}  ${folder}`);
    console.log(`${String(found.length).padStart(5)}  in total`);
  } else {
    for (const { file, line, text } of found) console.log(`${file}:${line}: ${text}`);
    if (found.length > 0) process.exitCode = 1;
  }
}
