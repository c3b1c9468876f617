import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { continueList, format, type Format } from "./formatting.ts";

/** A text with its selection between two bars: "a |word| here". */
function formatted(kind: Format, marked: string): string {
  const [before = "", selected = "", after = ""] = marked.split("|");
  const text = before + selected + after;
  const { from, to, text: put, start, end } = format(kind, text, before.length, before.length + selected.length);
  const result = text.slice(0, from) + put + text.slice(to);
  return `${result.slice(0, start)}|${result.slice(start, end)}|${result.slice(end)}`;
}

test.each([
  ["- Gauze|", "- Gauze\n- |"],
  ["- Ga|uze", "- Ga\n- |uze"],
  ["- Gauze\n- |", "- Gauze\n\n|"],
  ["Gauze|", null],
  ["|- Gauze", null],
])("Enter in %j gives %j", (marked, expected) => {
  const [before = "", after = ""] = marked.split("|");
  const change = continueList(before + after, before.length);
  const result = change && before.slice(0, change.from) + change.text + after;
  expect(change && `${result?.slice(0, change.start)}|${result?.slice(change.end)}`).toBe(expected);
});

describe("format", () => {
  test.each<[Format, string, string]>([
    ["bold", "a |word| here", "a **|word|** here"],
    ["bold", "a **|word|** here", "a |word| here"],
    ["bold", "a |**word**| here", "a |word| here"],
    ["bold", "a| word |here", "a **|word|** here"],
    ["bold", "||", "**||**"],
    ["bold", "**||**", "||"],
    ["bold", "a **word||** here", "a **word**|| here"],
    ["bold", "**a** word||**b**", "**a** word**||****b**"],
    ["italic", "a |word|", "a _|word|_"],
    ["italic", "**|word|**", "**_|word|_**"],
    ["italic", "_|word|_", "|word|"],
    ["heading", "one\ntwo| |words\nthree", "one\n## two| |words\nthree"],
    ["heading", "## two| |words", "two| |words"],
    ["heading", "||", "## ||"],
    ["list", "o|ne\n\ntw|o\nthree", "|- one\n\n- two|\nthree"],
    ["list", "|- one\n- two|", "|one\ntwo|"],
    ["list", "||\none", "- ||\none"],
    ["link", "see |our dates| now", "see [our dates](|https://|) now"],
    ["link", "see |https://hse.gov.uk/a| now", "see [||](https://hse.gov.uk/a) now"],
    ["link", "||", "[](|https://|)"],
  ])("%s of %j is %j", (kind, before, after) => {
    expect(formatted(kind, before)).toBe(after);
  });

  test("applied twice restores the text, for every selection", () => {
    const kinds = fc.constantFrom<Format>("bold", "heading", "list");
    const words = fc.stringMatching(/^[a-z]+( [a-z]+)*$/);
    fc.assert(
      fc.property(kinds, words, words, words, (kind, before, selected, after) => {
        const once = formatted(kind, `${before} |${selected}| ${after}`);
        expect(formatted(kind, once)).toBe(`${before} |${selected}| ${after}`);
      }),
    );
  });

  test("the selection after a change is inside the text", () => {
    const kinds = fc.constantFrom<Format>("bold", "italic", "heading", "list", "link");
    const texts = fc.array(fc.constantFrom("a", " ", "\n", "*", "**", "_", "#", "## ", "- ", "https://x"), { maxLength: 20 });
    fc.assert(
      fc.property(kinds, texts, fc.nat(), fc.nat(), (kind, parts, one, other) => {
        const text = parts.join("");
        const [start = 0, end = 0] = [one % (text.length + 1), other % (text.length + 1)].toSorted((a, b) => a - b);
        const change = format(kind, text, start, end);
        const length = text.length - (change.to - change.from) + change.text.length;
        expect([0 <= change.from, change.from <= change.to, change.to <= text.length]).toEqual([true, true, true]);
        expect([0 <= change.start, change.start <= change.end, change.end <= length]).toEqual([true, true, true]);
      }),
    );
  });
});
