import { describeDatabases } from "backend/test/database.ts";
import { expect, test } from "vitest";
import { openStaffProject } from "../support/staff-project.ts";

describeDatabases("the figures of a monitor", (open) => {
  test("count due mails and bookings, and give the age of the last backup without a fault, to the service only", async () => {
    const own = await openStaffProject(open);
    const figures = async (): Promise<unknown> => (await own.project.service.rpc("figures")).data;
    expect(await figures()).toEqual({ mails_waiting: 0, bookings: 0, backup_age_seconds: null });
    const date = await own.addDate();
    await own.book(date);
    await own.book(date, { status: "cancelled" });
    await own.sql(`
      insert into public.enquiries (name, reply_to, message) values ('Ada', '01632 960900', 'When?');
      insert into public.letters (kind, enquiry_id, due_at, expires_at)
        select 'acknowledgement', id, due, now() + interval '2 days'
        from public.enquiries, unnest(array[now() - interval '1 minute', now() + interval '1 day']) as due;
      insert into private.backup_checks (night, begun_at, ended_at, row_count, problem) values
        (current_date - 1, now() - interval '1 day', now() - interval '1 day', 7, null),
        (current_date, now(), now(), null, 'damaged')`);
    const { mails_waiting, bookings, backup_age_seconds } = Object(await figures());
    expect([mails_waiting, bookings, Math.round(backup_age_seconds / 60)]).toEqual([2, 1, 24 * 60]);
    expect((await own.staff.rpc("figures")).error).toMatchObject({ code: "42501" });
  });
});
