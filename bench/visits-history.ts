import { join } from "node:path";
import { readConfig } from "../backend/src/config.ts";
import type { Database } from "../backend/src/db/database.ts";
import { migrate } from "../backend/src/db/migrate.ts";
import { createLog } from "../server/log.ts";

const DAYS = 730;
export const PATHS = 5000;
const VIEWS_A_VISIT = 3;
const TODAY = "(now() at time zone 'Europe/London')::date";
const STORE = ["view_counters", "view_closings", "view_sessions", "view_returns", "views_aside"];

/** Migrates the database and fills it with two years of views, beside them in `raw_views` as one row each; gives bytes per view. */
export async function makeHistory(database: Database, views: number): Promise<{ store: number; raw: number }> {
  await prepare(database);
  for (const script of [rawViews(views), VISITS, COUNTERS, CLOSINGS, TOTALS, RETURNS, SESSIONS]) {
    await database.transaction(async (tx) => {
      const memory = database.kind === "postgres" ? "1GB" : "64MB";
      await tx.script(`set local work_mem = '${memory}'; set local maintenance_work_mem = '${memory}'`);
      await tx.script(script);
    });
  }
  return database.transaction(async (tx) => {
    for (const table of [...STORE.map((name) => `private.${name}`), "raw_views"]) await tx.script(`analyze ${table}`);
    const [size] = await tx.query<{ store: number; raw: number }>(
      `select (select sum(pg_total_relation_size(('private.' || name)::regclass)) from unnest(string_to_array($1, ',')) name)::float8 / $2 as store,
        pg_total_relation_size('raw_views')::float8 / $2 as raw`,
      [STORE.join(","), views],
    );
    if (!size) throw new Error("no sizes");
    return size;
  });
}

/** Migrates the database as a backend would at its start, without samples. */
export async function prepare(database: Database): Promise<void> {
  const supabaseDir = join(import.meta.dirname, "../supabase");
  const log = createLog("warn");
  const config = await readConfig(supabaseDir, { log });
  await migrate(database, { supabaseDir, config: { ...config, db: { ...config.db, seed: { enabled: false, sql_paths: [] } } }, log });
}

// Three views a visit; three of ten visits are somebody's who was here in the sixty days before. Popular pages are looked at more.
function rawViews(views: number): string {
  const fraction = (hash: string): string => `(((${hash}) & 1048575) / 1048576.0::float8)`;
  const visitsIn60Days = Math.max(1, Math.round((views / VIEWS_A_VISIT / DAYS) * 60));
  return `create unlogged table raw_views as
    select ${TODAY} - ${DAYS - 1} + (i * ${DAYS} / ${views})::integer as day,
      (${PATHS} * ${fraction("hashint8(i)")} * ${fraction("hashint8(i)")})::integer as path,
      case when ${fraction("hashint8(i / 3)")} < 0.3
        then greatest(0, i / 3 - (hashint8(i / 3 + 1000000007) & 2147483647) % ${visitsIn60Days}) else i / 3 end::integer as session
    from generate_series(0::bigint, ${views - 1}) i;
    create index on raw_views using brin (day)`;
}

const VISITS = "create unlogged table visits as select day, session from raw_views group by 1, 2";

const COUNTERS = `insert into private.view_counters (kind, name, day, total)
  select 'page', '/page-' || path, max(day), count(*) from raw_views group by path
  union all select 'all', '', max(day), count(*) from raw_views`;

// Written day by day, as they would have been.
const CLOSINGS = `alter table private.view_closings disable trigger all;
  insert into private.view_closings (counter_id, day, total)
  select c.id, t.day, t.total from (
    select path, day, sum(count(*)) over w as total, lead(day) over w as next from raw_views group by path, day window w as (partition by path order by day)
  ) t join private.view_counters c on c.kind = 'page' and c.name = '/page-' || t.path
  where t.next is not null order by t.day;
  alter table private.view_closings enable trigger all`;

const TOTALS = `insert into private.view_closings (counter_id, day, total)
  select c.id, t.day, t.total from private.view_counters c, (
    select day, sum(count(*)) over (order by day) as total from raw_views group by day
  ) t where c.kind = 'all' and t.day < c.day`;

const RETURNS = `insert into private.view_returns (day, previous_day, sessions)
  select day, case when previous >= day - 365 then previous else '-infinity' end, count(*)
  from (select day, lag(day) over (partition by session order by day) as previous from visits) t group by 1, 2`;

const SESSIONS = `insert into private.view_sessions (session_id, last_day)
  select md5(session::text)::uuid, max(day) from visits where day >= ${TODAY} - 365 group by session order by 2`;
