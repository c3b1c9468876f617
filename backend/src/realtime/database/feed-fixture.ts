import { vi } from "vitest";
import { type OpenDatabase, testLog } from "../../../test/database.ts";
import type { Database } from "../../db/database.ts";
import { createDatabaseBudget } from "../../anonymous/database-budget.ts";
import type { Caller } from "./ask.ts";
import { type DatabaseFeed, openFeed } from "./feed.ts";
import type { ChangeRequest } from "./requests.ts";

const SCHEMA = `
  drop table if exists public.notes, public.open_notes, public.unpublished, public.keyless, public.columnless cascade;
  drop policy if exists "own topic" on realtime.messages;
  drop policy if exists "own broadcast" on realtime.messages;
  drop policy if exists "all read" on realtime.messages;
  create table public.notes (id integer primary key, owner text, text text, size numeric, tags jsonb, secret text);
  create table public.open_notes (id bigint primary key, text text);
  alter table public.open_notes replica identity full;
  create table public.unpublished (id integer primary key);
  create table public.keyless (text text);
  create table public.columnless ();
  alter table public.notes enable row level security;
  create policy "owners read" on public.notes for select to authenticated using (owner = auth.jwt() ->> 'sub');
  grant select (id, owner, text, size, tags) on public.notes to authenticated;
  grant select on public.open_notes, public.unpublished, public.keyless to anon, authenticated;
  grant select on public.notes, public.keyless to service_role;
  alter publication supabase_realtime add table public.notes, public.open_notes, public.keyless, public.columnless;
`;
export const ANON: Caller = { role: "anon", claims: { role: "anon" } };
export const SERVICE: Caller = { role: "service_role", claims: { role: "service_role" } };
export const user = (sub: string): Caller => ({ role: "authenticated", claims: { role: "authenticated", sub } });

interface Data {
  table: string;
  type: string;
  commit_timestamp: string;
  columns: { name: string; type: string }[];
  record?: Record<string, unknown>;
  old_record?: Record<string, unknown>;
  errors: string[] | null;
}

type Received = Data & { matches: readonly number[] };

/** Subscribes and collects the changes that are delivered. */
export async function subscribe(feed: DatabaseFeed, caller: Caller, ...requests: Partial<ChangeRequest>[]) {
  const received: Received[] = [];
  const wanted = requests.map(({ event = "*", schema = "public", ...request }): ChangeRequest => Object.assign(request, { event, schema }));
  const subscription = await feed.subscribe(caller, wanted, (changes) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests check the fields
    received.push(...changes.map(({ data, matches }) => ({ ...(data as Data), matches })));
  });
  return { received, ...subscription };
}

/** Waits until `check` succeeds, long enough for a busy machine. */
export const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 30_000 });

/** Runs a script in one transaction. */
export const run = (database: Database, text: string): Promise<void> => database.transaction((tx) => tx.script(text));

/** A new feed on the database of a suite, with empty tables. */
interface StartedFeed extends AsyncDisposable {
  database: Database;
  feed: DatabaseFeed;
  /** The number of statements that evaluated policies. */
  checks: { count: number };
}

/** Returns the function that starts a feed on one database, with empty tables and after `script`. */
export function feeds(open: OpenDatabase): (script?: string, statementMs?: number) => Promise<StartedFeed> {
  let opened: Promise<Database> | undefined;
  return async function start(script = "", statementMs?: number) {
    const { database, checks } = countChecks(await (opened ??= open()));
    await run(database, SCHEMA + script);
    const feed = await openFeed({ database, budget: createDatabaseBudget(), statementMs, log: testLog });
    return { database, feed, checks, [Symbol.asyncDispose]: () => feed[Symbol.asyncDispose]() };
  };
}

/** Counts the statements that evaluate policies. */
function countChecks(database: Database): { database: Database; checks: { count: number } } {
  const checks = { count: 0 };
  const counted: Database = {
    ...database,
    transaction: (work, options) =>
      database.transaction((tx) => {
        const query: typeof tx.query = (text, values) => {
          if (text.includes("realtime.permitted")) checks.count += 1;
          return tx.query(text, values);
        };
        return work({ ...tx, query });
      }, options),
  };
  return { database: counted, checks };
}
