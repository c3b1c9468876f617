import { expect, test } from "vitest";
import { findWords } from "./words.ts";

test.each([
  ["a comment that starts without a main clause", "/** What the endpoints stand on. */"],
  ["a later sentence of a comment", "// Reads a row.\n// Whether it exists is not known."],
  ["a word of dialect in a comment", "/* It begins anew. */"],
  ["a verb of speech for a message", "// The clients are told once."],
  ["a verb of speech for a test of a condition", "// The policies were asked before."],
  ["a metaphor for the end of a process", 'test("a process that dies restarts", () => {});'],
  ["a test name that starts without a main clause", 'test("who is disabled is out", () => {});'],
  ["a test name behind a table", 'test.each([[1], [2]])("how %i is shown", () => {});'],
  ["a name in camel case", "const keptTrail = 1;"],
  ["a name in a type", "interface Change {\n  standing: string;\n}"],
])("%s is refused", (_name, source) => {
  expect(findWords("a.ts", source)).toHaveLength(1);
});

test.each([
  ["a question", "// What does the visitor see? The page."],
  ["a text for people", 'const text = "What we teach, and besides";'],
  ["a comment sign in a string", 'const address = "https://what.example";'],
  ["a quote in a regular expression", "const quote = /[\"']/; // Reads a quote."],
  ["a word that only contains a refused one", "const outstanding = 1;"],
])("%s is accepted", (_name, source) => {
  expect(findWords("a.ts", source)).toEqual([]);
});

test("a comment of SQL is read, and a text of SQL is not", () => {
  expect(findWords("a.sql", "-- Whoever reads.\nselect 'besides';")).toHaveLength(1);
});
