import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { personPage } from "../person-page.ts";
import { callDatabase } from "../running-server.ts";
import { count } from "../summary.ts";

const rows = z.array(z.record(z.string(), z.unknown()));
const dataSchema = z.object({ bookings: rows, waiting_list: rows, enquiries: rows, letters: rows, changes: rows, account: rows });

/** Writes everything about the holder of an e-mail address or phone number into a new folder. Fails with a `StartError`. */
export async function exportPerson(contact: string, { into }: { into: string }): Promise<string> {
  const data = dataSchema.parse(await callDatabase("export_person", { contact }));
  await mkdir(into, { recursive: true, mode: 0o700 });
  const options = { flag: "wx", mode: 0o600 };
  await writeFile(
    join(into, "person.json"),
    `${JSON.stringify({ contact, made_at: new Date().toISOString(), ...data }, null, 2)}\n`,
    options,
  );
  await writeFile(join(into, "person.html"), personPage(contact, data), options);
  const total = Object.values(data).reduce((sum, { length }) => sum + length, 0);
  return `${into}: person.json and person.html with ${count(total, "record")}. Check them for data of other people before you hand them over.`;
}
