import { join } from "node:path";
import { startEngine } from "../../backend/src/db/pglite/engine.ts";

const TABLES = ["course_dates", "blog_posts", "changes"];

/**
 * Counts the traces of partial transactions in the database of a stopped product: rows without the entry in the change log that their
 * transaction wrote, or the reverse, and rows that only the table or only its index has. Reads every page of the tables, whose
 * checksums Postgres checks.
 */
export async function countHalfDone(dataDir: string): Promise<number> {
  const engine = await startEngine({ directory: join(dataDir, "database", "cluster"), image: undefined, onStderr: () => undefined });
  try {
    const count = async (sql: string): Promise<number> => (await engine.query<{ count: number }>(sql)).rows[0]?.count ?? Number.NaN;
    let halfDone = await count(`
      with records as (select id from course_dates union all select id from blog_posts),
        entries as (select record_id from changes where kind in ('course_dates', 'blog_posts') and act = 'insert')
      select count(*)::int from records full join entries on record_id = id where id is null or record_id is null`);
    for (const table of TABLES) {
      await engine.exec("set enable_seqscan = off; set enable_indexscan = on; set enable_indexonlyscan = on");
      const indexed = await count(`select count(*)::int from (select id from ${table} order by id) as t`);
      await engine.exec("set enable_seqscan = on; set enable_indexscan = off; set enable_indexonlyscan = off");
      halfDone += Math.abs(indexed - (await count(`select count(*)::int from ${table}`)));
    }
    return halfDone;
  } finally {
    await engine.close();
  }
}
