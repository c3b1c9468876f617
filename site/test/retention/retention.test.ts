import { describeDatabases } from "backend/test/database.ts";
import { privacyPolicy } from "content/legal/privacy-policy.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { noon, setClock } from "../support/clock.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";
import { recordViews } from "../visits/record.ts";

/** The sentence of the privacy policy about each subject, with the period of the table. */
const POLICY: Readonly<Record<string, (period: string) => string>> = {
  auth_log: (period) => `Who signed in or out of a staff account: ${period};`,
  auth_log_addresses: (period) => `from which internet address: ${period}.`,
  auth_tokens: (period) => `When a signed-in browser was used: ${period}.`,
  bookings: (period) => `Bookings and payments, with the enquiry that led to the booking: ${period} after the end of the financial year`,
  change_values: (period) =>
    `What is changed in bookings, enquiries, course dates and posts, and bookings, dates and posts that are deleted: as it was before, for ${period}`,
  changes: (period) => `who changed it, without what it said, for ${period}`,
  enquiries: (period) => `Enquiries that lead to no booking: ${period}`,
  letters: (period) => `Letters about a booking or an enquiry: as long as the booking or enquiry, at most ${period} after we sent them`,
  staff_acts: (period) => `Who did what to which account: ${period}`,
  visit_sessions: (period) => `the random number of a browser and the day of its last visit for ${period}`,
  waiting_list: (period) => `otherwise ${period}, or until the date you wait for if that is later`,
};

describeDatabases("retention", (open) => {
  let staffProject: StaffProject;
  beforeAll(async () => {
    staffProject = await openStaffProject(open);
  });
  beforeEach(async () => {
    await staffProject.empty();
    await setClock(staffProject.project, null);
  });

  async function applyRetention(): Promise<Record<string, number>> {
    const { data, error } = await staffProject.project.service.rpc("apply_retention");
    if (error) throw error;
    return data;
  }

  async function rows<Row extends Record<string, unknown>>(query: string): Promise<Row[]> {
    return staffProject.project.database.transaction((tx) => tx.query<Row>(query));
  }

  test("has the periods that the privacy policy states", async () => {
    const periods = await rows<{ subject: string; period: string }>(
      "select subject, replace(replace(period::text, 'mons', 'months'), '1 year', '12 months') as period from private.retention_periods order by subject",
    );
    expect(periods.map(({ subject }) => subject)).toEqual(Object.keys(POLICY));
    for (const { subject, period } of periods) {
      expect(privacyPolicy.body).toContain(POLICY[subject]?.(period === "6 years" ? "six years" : period));
    }
  });

  test("deletes enquiries without a booking after 12 months", async () => {
    await staffProject.sql(`
      insert into public.enquiries (name, reply_to, message, created_at)
      select name, '01632 960 900', 'When?', now() - age from (values
        ('old', interval '12 months 1 day'), ('booked', interval '12 months 1 day'), ('recent', interval '12 months' - interval '1 day')
      ) as e (name, age)`);
    const [enquiry] = await rows<{ id: string }>("select id from public.enquiries where name = 'booked'");
    await staffProject.book(await staffProject.addDate(), { enquiry_id: enquiry?.id });
    expect(await applyRetention()).toMatchObject({ enquiries: 1 });
    expect(await rows("select name from public.enquiries order by name")).toEqual([{ name: "booked" }, { name: "recent" }]);
  });

  test("deletes entries of the waiting list after 12 months, once their date is over", async () => {
    const [past, future] = [await staffProject.addDate(), await staffProject.addDate()];
    for (const [course_id, name] of [
      [past, "old"],
      [future, "waiting"],
    ])
      await staffProject.add("waiting_list", { course_id, name, phone: "01632 960 900" });
    await staffProject.sql(`update public.course_dates set course_date = now() - interval '1 day' where id = '${past}'`);
    expect(await applyRetention()).toMatchObject({ waiting_list: 0 });
    await staffProject.sql("update public.waiting_list set created_at = now() - interval '13 months'");
    expect(await applyRetention()).toMatchObject({ waiting_list: 1 });
    expect(await rows("select name from public.waiting_list")).toEqual([{ name: "waiting" }]);
  });

  test("hides and deletes the values of changes after 30 days, and the entries after 12 months", async () => {
    const id = await staffProject.publish();
    await staffProject.remove("blog_posts", id);
    await staffProject.age("30 days");
    expect(await staffProject.changesOf(id)).toEqual([]);
    expect(await applyRetention()).toMatchObject({ change_values: 2, changes: 0 });
    expect(await staffProject.changesOf(id)).toMatchObject([
      { act: "insert", about: null, before: null, after: null },
      { act: "delete", about: null, before: null, after: null },
    ]);
    await staffProject.age("12 months");
    expect(await applyRetention()).toMatchObject({ changes: 2 });
    expect(await rows(`select from public.changes where record_id = '${id}'`)).toEqual([]);
  });

  test("deletes the log of account changes after 12 months", async () => {
    await staffProject.sql(`
      delete from public.staff_acts;
      insert into public.staff_acts (act, actor_id, actor_email, member_email, begun_at)
      select 'link', gen_random_uuid(), 'a@site.example', name, now() - age
      from (values ('old', interval '12 months 1 day'), ('recent', interval '12 months' - interval '1 day')) as t (name, age)`);
    expect(await applyRetention()).toMatchObject({ staff_acts: 1 });
    expect(await rows("select member_email from public.staff_acts")).toEqual([{ member_email: "recent" }]);
  });

  test("deletes the log of sign-ins after 12 months, and its addresses after 90 days", async () => {
    await staffProject.sql(`
      delete from auth.audit_log_entries;
      insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
      select gen_random_uuid(), gen_random_uuid(), json_build_object('name', name), now() - age, '192.0.2.1'
      from (values ('old', interval '12 months 1 day'), ('quarter', interval '91 days'), ('recent', interval '89 days')) as t (name, age)`);
    expect(await applyRetention()).toMatchObject({ auth_log: 1, auth_log_addresses: 1 });
    expect(await rows("select payload ->> 'name' as name, ip_address from auth.audit_log_entries order by 1")).toEqual([
      { name: "quarter", ip_address: "" },
      { name: "recent", ip_address: "192.0.2.1" },
    ]);
  });

  test("deletes rotated refresh tokens 12 months after their rotation", async () => {
    await staffProject.sql(`
      delete from auth.refresh_tokens;
      insert into auth.refresh_tokens (token, revoked, created_at, updated_at, session_id)
      select token, revoked, now() - interval '2 years', now() - age, (select id from auth.sessions limit 1) from (values
        ('old', true, interval '12 months 1 day'), ('recent', true, interval '12 months' - interval '1 day'), ('valid', false, interval '2 years')
      ) as t (token, revoked, age)`);
    expect(await applyRetention()).toMatchObject({ auth_tokens: 1 });
    expect(await rows("select token from auth.refresh_tokens where session_id is not null order by 1")).toEqual([
      { token: "recent" },
      { token: "valid" },
    ]);
  });

  test("runs if the auth service has another log table", async () => {
    await staffProject.sql("alter table auth.audit_log_entries rename to other_log");
    expect(await applyRetention()).toMatchObject({ auth_log: null, auth_tokens: 0, enquiries: 0 });
    await staffProject.sql("alter table auth.other_log rename to audit_log_entries");
  });

  test("deletes sessions of visitors 365 days after their last visit, and the hashes of addresses after ten minutes", async () => {
    const [old, recent] = [crypto.randomUUID(), crypto.randomUUID()];
    await recordViews(staffProject.project, [{ page_path: "/", session_id: old, network: "192.0.2.1" }], 366);
    await recordViews(staffProject.project, [{ page_path: "/", session_id: recent, network: "192.0.2.1" }], 365);
    expect(await applyRetention()).toMatchObject({ visit_sessions: 1, rate_limits: 2 });
    expect(await rows("select session_id from private.visit_sessions")).toEqual([{ session_id: recent }]);
    expect(await rows("select from private.rate_limit_windows")).toEqual([]);

    await recordViews(staffProject.project, [{ page_path: "/", session_id: recent, network: "192.0.2.1" }]);
    expect(await applyRetention()).toMatchObject({ rate_limits: 0 });
    await setClock(staffProject.project, noon().add({ minutes: 10 }));
    expect(await applyRetention()).toMatchObject({ rate_limits: 1 });
  });
});
