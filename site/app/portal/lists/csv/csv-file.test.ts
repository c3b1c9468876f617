import { expect, test } from "vitest";
import { csvOf } from "./csv-file.ts";

const columns = [
  { heading: "Company", cell: ({ company }: { company: string | null }) => company },
  { heading: "Places", cell: () => 2 },
];

function line(company: string | null): string | undefined {
  return csvOf(columns, [{ company }]).split("\r\n")[1];
}

test("a file starts with the byte order mark that Excel needs, and ends each line with CR LF", () => {
  expect(csvOf(columns, [{ company: "Moor" }])).toBe('\uFEFF"Company","Places"\r\n"Moor",2\r\n');
  expect(csvOf(columns, [])).toBe('\uFEFF"Company","Places"\r\n');
});

test("an empty cell is written for null", () => {
  expect(line(null)).toBe(",2");
});

test.each([
  ["=1+1", `"'=1+1"`],
  ["+447700900123", `"'+447700900123"`],
  ["-2", `"'-2"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1", `"'\t=1"`],
  [" =1", `"' =1"`],
  ['=HYPERLINK("http://x.example","y")', `"'=HYPERLINK(""http://x.example"",""y"")"`],
  ["Fell, Moor & Sons", '"Fell, Moor & Sons"'],
  ["Fell; Moor", '"Fell; Moor"'],
  ['the "old" hall', '"the ""old"" hall"'],
  ["one\ntwo", '"one\ntwo"'],
])("the text %j is written as %j, so that no spreadsheet calculates or splits it", (text, written) => {
  expect(csvOf(columns, [{ company: text }])).toContain(`\r\n${written},2\r\n`);
});
