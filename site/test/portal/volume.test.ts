import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import type { Row, SqlValue, Transaction } from "../../../backend/src/db/database.ts";
import { listBookableDates, recentSince } from "../../app/portal/bookable-dates/bookable-date.ts";
import { findPeople, listBookings } from "../../app/portal/bookings/queries.ts";
import { listWaiting, withNextToCall } from "../../app/portal/bookings/waiting-list/waiting-list.ts";
import { listPosts } from "../../app/portal/blog/queries.ts";
import { deleteCourseDate, listCourseDates } from "../../app/portal/course-dates/queries.ts";
import { loadToday } from "../../app/portal/dashboard/today-queries.ts";
import { listEnquiries } from "../../app/portal/enquiries/queries.ts";
import { listChanges } from "../../app/portal/history/queries.ts";
import { readScope } from "../../app/portal/changes/scope.ts";
import { ANALYZE, largeDataset } from "../support/large-dataset.ts";
import { openProject, type Project } from "../support/project.ts";

interface PlanNode {
  "Node Type": string;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** The most rows that a plan may discard: with an index few rows or those of past dates, without one all 3,300. */
const MOST_DISCARDED = 1000;

const SCANS = `select pg_stat_get_xact_numscans('public.bookings'::regclass) as table,
  pg_stat_get_xact_numscans('public.bookings_person_words_idx'::regclass) as index`;

describeDatabases("the portal with a large dataset", (open) => {
  let project: Project;
  let staff: SupabaseClient;
  const plans: PlanNode[] = [];
  const scans: Row[] = [];
  let watching: "plans" | "scans" | null = null;
  let dateId: string;
  const everything = readScope(new URLSearchParams());
  const now = Date.now();
  const since = recentSince(now);
  beforeAll(async () => {
    project = await openProject(async (options) => {
      const database = await open(options);
      return {
        ...database,
        transaction: (work, how) =>
          database.transaction((tx) => work(watching === "plans" ? explaining(tx) : watching === "scans" ? counting(tx) : tx), how),
      };
    });
    ({ client: staff } = await project.staff("office@site.example"));
    await project.database.transaction((tx) => tx.script(largeDataset(1100, 3)));
    await project.database.transaction((tx) => tx.script(ANALYZE));
    const [date] = await project.database.transaction((tx) =>
      tx.query<{ id: string }>("select id from public.course_dates order by course_date limit 1"),
    );
    dateId = date?.id ?? "";
  });

  function explaining(tx: Transaction): Transaction {
    const explain = async (sql: string, values: Parameters<Transaction["query"]>[1]) => {
      if (!/"public"\./.test(sql)) return;
      // On a small table a sequential scan can be slightly cheaper than an index; the test checks that an index exists.
      await tx.query("set local enable_seqscan = off");
      const [row] = await tx.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(`explain (analyze, format json) ${sql}`, values);
      await tx.query("set local enable_seqscan = on");
      const plan = row?.["QUERY PLAN"];
      if (plan) plans.push(plan[0].Plan);
    };
    return {
      query: async (sql, values) => (await explain(sql, values), tx.query(sql, values)),
      last: async (sql, values) => (await explain(sql, values), tx.last(sql, values)),
      script: tx.script,
    };
  }

  /** Counts the scans of each statement, also those inside functions, which a plan does not show. */
  function counting(tx: Transaction): Transaction {
    const scanned = async (): Promise<Row | undefined> => (await tx.query(SCANS))[0];
    async function count<R extends Row>(sql: string, values?: readonly SqlValue[]): Promise<R[]> {
      const before = await scanned();
      const rows = await tx.query<R>(sql, values);
      const after = await scanned();
      if (sql.includes('"public".'))
        scans.push({ table: after?.["table"] !== before?.["table"], index: after?.["index"] !== before?.["index"] });
      return rows;
    }
    return { query: count, last: count, script: tx.script };
  }

  /** The nodes of the query plans of a request, and the number of rows they discard. */
  async function plansOf(request: () => Promise<unknown>): Promise<{ nodes: string[]; discarded: number }> {
    plans.length = 0;
    watching = "plans";
    await request();
    watching = null;
    expect(plans.length).toBeGreaterThan(0);
    const nodes = plans.flatMap(nodesOf);
    const discardedRows = nodes.map((node) => (node["Rows Removed by Filter"] ?? 0) * node["Actual Loops"]);
    return { nodes: nodes.map((node) => node["Node Type"]), discarded: Math.max(...discardedRows) };
  }

  test.each<[string, () => Promise<unknown>]>([
    ["every date", () => listCourseDates(staff)],
    ["the bookable dates", () => listBookableDates(staff, { since })],
    ["the bookings of recent and coming dates", () => listBookings(staff, { since })],
    ["all bookings", () => listBookings(staff, "all")],
    ["the bookings of one date", () => listBookings(staff, { date: dateId })],
    ["the bookings that prevent a deletion", () => deleteCourseDate(staff, dateId)],
    ["the posts", () => listPosts(staff)],
    ["the enquiries", () => listEnquiries(staff, { since })],
    ["the waiting list of a date", () => listWaiting(staff, dateId)],
    ["the person to call next", () => withNextToCall(staff, dateId, null, Promise.resolve({ ok: true, message: "Booking cancelled." }))],
    ["the latest changes", () => listChanges(staff, everything)],
    ["the changes of one kind by one person", () => listChanges(staff, { ...everything, kind: "bookings", who: "staff1@site.example" })],
    ["the history of one record", () => listChanges(staff, { ...everything, record: dateId })],
    ["the unpaid bookings and the other parts of the dashboard", () => Promise.all(Object.values(loadToday(staff, now)))],
  ])("finds %s by an index", async (_what, request) => {
    const { nodes, discarded } = await plansOf(request);
    expect(nodes).not.toContain("Seq Scan");
    expect(discarded).toBeLessThanOrEqual(MOST_DISCARDED);
  });

  test("the number of unpaid bookings on Today is exact, also of more dates than one response has", async () => {
    const [counted] = await project.database.transaction((tx) =>
      tx.query<{ count: string }>(
        `select count(*) as count from public.bookings b join public.course_dates d on d.id = b.course_id
         where b.status = 'active' and b.payment_status = 'due' and d.status <> 'cancelled'`,
      ),
    );
    expect(Number(counted?.count)).toBeGreaterThan(1000);
    expect(await loadToday(staff, now).unpaid).toMatchObject({ ok: true, total: Number(counted?.count) });
  });

  test.each(["person 12 3", "07700 9001", "nobody"])("finds the people of “%s” by an index", async (words) => {
    scans.length = 0;
    watching = "scans";
    await findPeople(staff, words);
    watching = null;
    expect(scans).toEqual([{ table: false, index: true }]);
  });
});

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
