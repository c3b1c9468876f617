import { expect, test } from "vitest";
import { narrow, type ListFilter, type Narrowed } from "./list-filter.ts";

interface Row {
  name: string;
  phone: string;
  starts: string;
  status: string;
}

const row: Row = { name: "Ada O'Fell, Moor & Sons, step-free", phone: "+44 7700 900123", starts: "2027-06-01T23:30:00Z", status: "active" };
const filter: ListFilter<Row> = {
  hint: "Name or phone",
  text: ({ name, phone }) => `${name} ${phone}`,
  digits: ({ phone }) => phone,
  instant: ({ starts }) => starts,
  choices: [{ name: "status", label: "Status", labels: { active: "Active", cancelled: "Cancelled" }, of: ({ status }) => status }],
};

test.each<[Narrowed, boolean]>([
  [{}, true],
  [{ words: "  " }, true],
  [{ words: "fell ADA" }, true],
  [{ words: "ofell" }, true],
  [{ words: "o’fell ada" }, true],
  [{ words: "07700 900123" }, true],
  [{ words: "0044 7700 900123" }, true],
  [{ words: "+44 (0)7700 900123" }, true],
  [{ words: "900123" }, true],
  [{ words: "step-free" }, true],
  [{ words: "7700900 123" }, true],
  [{ words: "ada grove" }, false],
  [{ words: "0123456" }, false],
  [{ words: "44900" }, false],
  // In London it is already Wednesday, 2 June.
  [{ words: "wed" }, true],
  [{ words: "2/6 ada" }, true],
  [{ words: "tue" }, false],
  [{ words: "wed grove" }, false],
  [{ words: "24 nov" }, false],
  [{ status: "active", words: "ada" }, true],
  [{ status: "cancelled" }, false],
])("narrowed to %j, the list contains the row: %j", (narrowed, listed) => {
  expect(narrow([row], filter, narrowed)).toEqual(listed ? [row] : []);
});

test("a name that begins as a weekday does is found, one that contains it is not", () => {
  const monica = { ...row, name: "Monica Fell" };
  expect(narrow([monica, { ...row, name: "Simon Fell" }], filter, { words: "mon" })).toEqual([monica]);
});
