import { expect, test } from "vitest";
import { expiredBackups, nameOfBackup } from "./retention.ts";

const others = ["notes.txt", "larkfell-2026-11-23.tar.unfinished"];

test("after many nights there are backups of seven days and the last ones of four weeks before", () => {
  let names = [...others];
  // The last night is a Monday.
  for (let day = 0; day < 80; day += 1) {
    names.push(nameOfBackup(Temporal.PlainDate.from("2026-09-05").add({ days: day }).toString()));
    const expired = new Set(expiredBackups(names));
    names = names.filter((name) => !expired.has(name));
  }
  const days = ["11-23", "11-22", "11-21", "11-20", "11-19", "11-18", "11-17"];
  const weeks = ["11-16", "11-15", "11-08", "11-01"];
  expect(new Set(names)).toEqual(new Set([...others, ...[...days, ...weeks].map((day) => `larkfell-2026-${day}.tar`)]));
});
