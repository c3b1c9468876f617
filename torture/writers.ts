import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";

const WRITERS = 8;
const TABLES = ["course_dates", "blog_posts"] as const;

/** Ids of rows and names of files whose write the server confirmed. */
export interface Acknowledged {
  rows: { table: (typeof TABLES)[number]; id: string }[];
  files: string[];
}

/** Writes course dates, posts and images from several connections until the server stops answering or `signal` aborts. */
export async function writeUntilStopped(staff: SupabaseClient, acknowledged: Acknowledged, signal: AbortSignal): Promise<void> {
  const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      while (!signal.aborted) {
        if (writer === 0) {
          const name = `torture-${randomUUID()}-8x8.png`;
          const { error } = await staff.storage.from("post-images").upload(name, image, { contentType: "image/png" });
          if (!error) acknowledged.files.push(name);
          continue;
        }
        const table = TABLES[writer % 2] ?? "course_dates";
        const id = randomUUID();
        const { error } = await staff.from(table).insert({ id, ...rowOf(table, id) });
        if (!error) acknowledged.rows.push({ table, id });
      }
    }),
  );
}

/** Counts the acknowledged rows and files that the server no longer has. */
export async function countLost(staff: SupabaseClient, { rows, files }: Acknowledged): Promise<number> {
  let lost = 0;
  for (const table of TABLES) {
    const ids = rows.flatMap((row) => (row.table === table ? [row.id] : []));
    for (let from = 0; from < ids.length; from += 100) {
      const wanted = ids.slice(from, from + 100);
      const { data, error } = await staff.from(table).select("id").in("id", wanted);
      if (error) throw new Error(error.message);
      lost += wanted.length - data.length;
    }
  }
  for (const name of files) {
    const { error } = await staff.storage.from("post-images").download(name);
    if (error) lost += 1;
  }
  return lost;
}

function rowOf(table: (typeof TABLES)[number], id: string): Record<string, string | number> {
  return table === "course_dates"
    ? { course_name: "Lvl 2 CCTV", course_date: "2031-03-10T09:00:00Z", capacity: 12 }
    : { title: `Torture ${id}`, content: "Text", author: "Staff", slug: `torture-${id}` };
}
