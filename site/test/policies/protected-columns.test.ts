import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

const OTHER_ID = "00000000-0000-4000-8000-000000000001";
const LONG_AGO = "2020-01-01T00:00:00+00:00";

/** Columns that the database computes or that never change, with another value. */
const PROTECTED: Readonly<Record<string, Record<string, unknown>>> = {
  course_dates: { id: OTHER_ID, created_at: LONG_AGO, updated_at: LONG_AGO, places_taken: 3 },
  bookings: { id: OTHER_ID, created_at: LONG_AGO, updated_at: LONG_AGO, updated_by: OTHER_ID, enquiry_id: OTHER_ID },
  waiting_list: { id: OTHER_ID, created_at: LONG_AGO, updated_at: LONG_AGO, updated_by: OTHER_ID, position: 0 },
  blog_posts: { id: OTHER_ID, created_at: LONG_AGO, updated_at: LONG_AGO },
};

describeDatabases("protected columns", (open) => {
  let staffProject: StaffProject;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    staffProject = await openStaffProject(open);
    ids["course_dates"] = await staffProject.addDate();
    ids["bookings"] = await staffProject.book(ids["course_dates"]);
    ids["waiting_list"] = await staffProject.add("waiting_list", { course_id: ids["course_dates"], name: "Ada", phone: "01632 960 900" });
    ids["blog_posts"] = await staffProject.publish();
  });

  describe.each(["staff", "the service"])("%s", (role) => {
    const client = (): SupabaseClient => (role === "staff" ? staffProject.staff : staffProject.project.service);

    const cases = Object.entries(PROTECTED).flatMap(([table, columns]) =>
      Object.entries(columns).map(([column, value]) => [table, column, value] as const),
    );
    test.each(cases)("cannot change %s.%s", async (table, column, value) => {
      const { error } = await client()
        .from(table)
        .update({ [column]: value })
        .eq("id", ids[table]);
      expect(error?.code).toBe("42501");
    });

    test("cannot insert a course date with booked places", async () => {
      const values = { course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z", places_taken: 1 };
      expect((await client().from("course_dates").insert(values)).error?.code).toBe("42501");
    });
  });

  test("the database sets the time and author of a change and ignores those of an insert", async () => {
    const id = await staffProject.add("bookings", {
      course_id: ids["course_dates"],
      name: "Ada",
      updated_at: LONG_AGO,
      updated_by: OTHER_ID,
    });
    const { data } = await staffProject.staff.from("bookings").select("updated_at, updated_by").eq("id", id).single();
    expect(data?.updated_by).toBe(staffProject.staffId);
    expect(data?.updated_at).not.toBe(LONG_AGO);
  });

  test("a new column is protected against lost updates without a change of triggers", async () => {
    await staffProject.sql("alter table public.course_dates add column added text; notify pgrst, 'reload schema'");
    const id = await staffProject.addDate();
    const { data: before } = await staffProject.staff.from("course_dates").select("updated_at").eq("id", id).single();
    const save = (added: string) =>
      staffProject.staff.from("course_dates").update({ added }).eq("id", id).eq("updated_at", before?.updated_at).select("id");
    await expect.poll(async () => (await save("Fell Room")).data?.length).toBe(1);
    expect((await save("Lake Room")).data).toEqual([]);
    const { data: seen } = await staffProject.project.visitor.from("course_dates").select("added").eq("id", id).single();
    expect(seen).toEqual({ added: "Fell Room" });
    expect(await staffProject.changesOf(id)).toMatchObject([{ act: "insert" }, { act: "update", columns: ["added"] }]);
  });

  test("every table that staff edit is protected against lost updates", async () => {
    expect(
      await tablesWithout("stamp_update", "exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'updated_at')"),
    ).toEqual([]);
  });

  test("every table that visitors read announces its changes, so that cached pages are dropped", async () => {
    expect(await tablesWithout("announce_change", "has_table_privilege('anon', c.oid, 'select')")).toEqual([]);
  });

  test("saving a record without a change does not count as an edit", async () => {
    const id = await staffProject.addDate({ description: "Morning session" });
    const read = async () => (await staffProject.staff.from("course_dates").select("updated_at").eq("id", id).single()).data?.updated_at;
    const before = await read();
    await staffProject.staff.from("course_dates").update({ description: "Morning session" }).eq("id", id);
    expect(await read()).toBe(before);
    await staffProject.book(id);
    expect(await read()).toBe(before);
  });

  /** The public tables that satisfy a condition and lack a trigger with this function. */
  function tablesWithout(procedure: string, condition: string): Promise<object[]> {
    return staffProject.project.database.transaction((tx) =>
      tx.query(
        `select c.relname from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${condition}
         and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgfoid = 'private.${procedure}'::regproc)`,
      ),
    );
  }
});
