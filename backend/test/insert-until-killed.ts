import { writeSync } from "node:fs";
import pino from "pino";
import { openPglite } from "../src/db/pglite/pglite.ts";

// Inserts rows into the database of a directory until it is killed, and prints the id of each acknowledged row.

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("Usage: node insert-until-killed.ts <data directory>");
const database = await openPglite({ dataDir, log: pino({ level: "silent" }) });
await database.transaction((tx) => tx.script("create table if not exists kept (id int generated always as identity, text text)"));
for (;;) {
  const [row] = await database.transaction((tx) => tx.query("insert into kept (text) values (repeat('x', 200)) returning id"));
  writeSync(1, `${String(row?.id)}\n`);
}
