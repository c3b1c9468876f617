import { describeDatabases, testLog } from "backend/test/database.ts";
import { IN_PROCESS } from "backend";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createComingDates, type ComingDates } from "../../app/server/coming-dates.server.ts";
import type { Reads } from "../../app/supabase/supabase.server.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";

const START = "2031-03-10T09:00:00+00:00";

describeDatabases("the shared read of the coming dates", (open) => {
  let project: Project;
  let comingDates: ComingDates;
  let requests: number;
  /** Sends a request to the backend; tests replace it. */
  let send: (request: () => Promise<Response>) => Promise<Response>;

  beforeAll(async () => {
    project = await openProject(open);
    await project.backend.onChange((table) => comingDates.drop(table));
  });

  beforeEach(async () => {
    await project.service.from("course_dates").delete().gte("capacity", 0).throwOnError();
    requests = 0;
    send = (request) => request();
    const fetch = (request: Request, { relations }: { relations: Set<string> }): Promise<Response> => {
      requests += 1;
      return send(() => project.backend.fetch(request, { ...IN_PROCESS, relations }));
    };
    comingDates = createComingDates({ url: PROJECT_URL, publishableKey: PUBLISHABLE_KEY, fetch }, testLog);
  });

  afterEach(() => void vi.useRealTimers());

  async function add(course_name: string, course_date = START): Promise<void> {
    await project.service.from("course_dates").insert({ course_name, course_date, capacity: 12 }).throwOnError();
  }

  /** Lists the dates of these courses as a page does; resolves to their names and to the tables that the page depends on. */
  async function visit(courseNames?: string[]): Promise<{ names: string[] } & Reads> {
    const reads: Reads = { relations: new Set(), failed: false };
    const rows = await comingDates.read(reads, courseNames);
    return { names: rows.map((row) => row.course_name), ...reads };
  }

  test("serves all pages, each with the dates of its courses and the table that it depends on", async () => {
    await add("Lvl 2 CCTV", "2031-04-10T09:00:00+00:00");
    await add("Emergency First Aid");
    const pages = await Promise.all([visit(), visit(["Lvl 2 CCTV"])]);
    expect([...pages, await visit([])].map(({ names }) => names)).toEqual([["Emergency First Aid", "Lvl 2 CCTV"], ["Lvl 2 CCTV"], []]);
    for (const { relations } of pages) expect([...relations]).toEqual(["public.course_dates"]);
    expect(requests).toBe(1);
  });

  test("is made again after a write to its table, and not after a write to another", async () => {
    expect((await visit()).names).toEqual([]);
    await add("Lvl 2 CCTV");
    expect((await visit()).names).toEqual(["Lvl 2 CCTV"]);
    await project.service.from("blog_posts").insert({ title: "Snow", content: "Drive slowly.", author: "Jo", slug: "snow" }).throwOnError();
    await project.service.from("blog_posts").delete().eq("slug", "snow").throwOnError();
    await visit();
    expect(requests).toBe(2);
  });

  test("is not used by later pages if a write was made meanwhile", async () => {
    const held = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    send = async (request) => {
      const response = await request();
      answered.resolve();
      await held.promise;
      return response;
    };
    const before = visit();
    await answered.promise;
    send = (request) => request();
    await add("Lvl 2 CCTV");
    const after = visit();
    held.resolve();
    expect((await before).names).toEqual([]);
    expect((await after).names).toEqual(["Lvl 2 CCTV"]);
    expect((await visit()).names).toEqual(["Lvl 2 CCTV"]);
  });

  test("is made again after it failed, and its page counts as incomplete", async () => {
    await add("Lvl 2 CCTV");
    send = () => Promise.resolve(Response.json({ code: "53300", message: "too many connections" }, { status: 503 }));
    expect(await visit()).toMatchObject({ names: [], failed: true });
    send = (request) => request();
    expect(await visit()).toMatchObject({ names: ["Lvl 2 CCTV"], failed: false });
  });

  test("is not shared if its tables are unknown, because no announcement would drop it", async () => {
    const fetch = (request: Request, { relations }: { relations: Set<string> }): Promise<Response> => {
      relations.add("*");
      requests += 1;
      return project.backend.fetch(request, IN_PROCESS);
    };
    comingDates = createComingDates({ url: PROJECT_URL, publishableKey: PUBLISHABLE_KEY, fetch }, testLog);
    expect([...(await visit()).relations]).toEqual(["*"]);
    await visit();
    expect(requests).toBe(2);
  });

  test("shows no date that has started since, and is made again after five minutes, also if the clock was set back", async () => {
    const now = Date.now();
    await add("Lvl 2 CCTV", new Date(now + 120_000).toISOString());
    expect((await visit()).names).toEqual(["Lvl 2 CCTV"]);
    vi.useFakeTimers({ now: now + 121_000, toFake: ["Date"] });
    expect((await visit()).names).toEqual([]);
    expect(requests).toBe(1);
    vi.setSystemTime(now - 7_200_000);
    const later = performance.now() + 301_000;
    vi.spyOn(performance, "now").mockReturnValue(later);
    onTestFinished(() => void vi.restoreAllMocks());
    expect((await visit()).names).toEqual(["Lvl 2 CCTV"]);
    expect(requests).toBe(2);
  });

  test("reads the dates of a page's courses for it alone if there are more dates than one response holds", async () => {
    const start = Date.parse(START);
    const dates = Array.from({ length: 1000 }, (_, day) => new Date(start + day * 86_400_000).toISOString());
    await project.service
      .from("course_dates")
      .insert(dates.map((course_date) => ({ course_name: "Emergency First Aid", course_date, capacity: 12 })))
      .throwOnError();
    await add("Lvl 2 CCTV", "2039-03-10T09:00:00+00:00");
    expect((await visit(["Lvl 2 CCTV"])).names).toEqual(["Lvl 2 CCTV"]);
  });
});
