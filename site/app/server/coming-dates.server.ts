import type { Logger } from "pino";
import type { Database } from "../../../supabase/database.types.ts";
import { logFailedRead } from "../supabase/log-failed-read.ts";
import { createServerClient, type Reads, type SupabaseOptions } from "../supabase/supabase.server.ts";

type Row = Omit<Database["public"]["Tables"]["course_dates"]["Row"], "trainer_id">;

/** The course dates that have not started, read once for all public pages. */
export interface ComingDates {
  /** Returns those of the named courses, or all, in order; records in `reads` what the page depends on. */
  read(reads: Reads, courseNames?: readonly string[]): Promise<readonly Row[]>;
  /** Drops the shared read if it read this table (null: any table). */
  drop(relation: string | null): void;
}

interface Result {
  rows: readonly Row[];
  reads: Reads;
  /** False if announcements of changes cannot drop it: it failed, or its tables are unknown. */
  lasting: boolean;
}

interface SharedRead {
  result: Promise<Result>;
  /** Undefined while it is being read. */
  relations?: ReadonlySet<string>;
  /** By a clock that is never set back, unlike that of the system. */
  expires: number;
}

/** Limits how long the dates stay outdated after a lost announcement. */
const LIFETIME_MS = 300_000;
/** The most rows of one response (`max_rows` in `supabase/config.toml`). */
const MOST_ROWS = 1000;

/** Creates the shared read of the coming dates (decision 013). */
export function createComingDates(supabase: SupabaseOptions, log: Logger): ComingDates {
  let shared: SharedRead | undefined;

  async function query(courseNames?: readonly string[]): Promise<Result> {
    const reads: Reads = { relations: new Set(), failed: false };
    const coming = createServerClient(supabase, reads).from("course_dates").select("*").gte("course_date", new Date().toISOString());
    const chosen = courseNames ? coming.in("course_name", [...courseNames]) : coming;
    const { data, error } = await chosen.order("course_date", { ascending: true });
    if (error) logFailedRead(log, error, "course dates could not be read");
    return { rows: data ?? [], reads, lasting: !error && !reads.relations.has("*") };
  }

  async function share(): Promise<Result> {
    if (shared && shared.expires > performance.now()) return shared.result;
    const started: SharedRead = { result: query(), expires: performance.now() + LIFETIME_MS };
    shared = started;
    const result = await started.result;
    started.relations = result.reads.relations;
    if (!result.lasting && shared === started) shared = undefined;
    return result;
  }

  return {
    async read(reads, courseNames) {
      const all = await share();
      // If there are more dates than one response contains, dates of these courses may be missing.
      const result = courseNames && all.rows.length >= MOST_ROWS ? await query(courseNames) : all;
      for (const relation of result.reads.relations) reads.relations.add(relation);
      reads.failed ||= result.reads.failed;
      const now = Date.now();
      return result.rows.filter((row) => Date.parse(row.course_date) >= now && (courseNames?.includes(row.course_name) ?? true));
    },
    drop(relation) {
      if (relation === null || !shared?.relations || shared.relations.has(relation)) shared = undefined;
    },
  };
}
