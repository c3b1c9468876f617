import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { setClock } from "../support/clock.ts";
import { openProject, type Project } from "../support/project.ts";

describeDatabases("late work", (open) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(open);
  });
  beforeEach(() =>
    project.database.transaction((tx) =>
      tx.script("delete from public.enquiries; delete from public.letters; delete from private.backup_checks"),
    ),
  );

  function sql(text: string) {
    return project.database.transaction((tx) => tx.script(text));
  }
  /** The late work so many minutes from now. */
  async function lateIn(minutes: number): Promise<unknown> {
    await setClock(project, Temporal.Now.instant().add({ minutes }));
    return (await project.service.rpc("late_work")).data;
  }

  test("is a mail about an enquiry that waits for more than 15 minutes, until it is mailed", async () => {
    await sql("insert into public.enquiries (name, reply_to, message) values ('Ada', '01632 960900', 'When?')");
    expect([await lateIn(10), await lateIn(16)]).toMatchObject([{ mail: false }, { mail: true }]);
    await sql("update private.enquiry_mails set mailed_at = now()");
    expect(await lateIn(16)).toMatchObject({ mail: false });
  });

  test("is a letter that is due for more than 15 minutes, except for a reminder, which waits for the morning", async () => {
    await sql(`insert into public.enquiries (name, reply_to, message) values ('Ada', '01632 960900', 'When?');
      update private.enquiry_mails set mailed_at = now();
      insert into public.letters (kind, enquiry_id, due_at, expires_at)
        select 'acknowledgement', id, now(), now() + interval '2 days' from public.enquiries`);
    expect([await lateIn(10), await lateIn(16)]).toMatchObject([{ mail: false }, { mail: true }]);
    await sql("update public.letters set kind = 'reminder_day'");
    expect(await lateIn(16)).toMatchObject({ mail: false });
    await sql("update public.letters set kind = 'acknowledgement', state = 'sent', sent_at = now()");
    expect(await lateIn(16)).toMatchObject({ mail: false });
  });

  test("is a backup that failed, or is older than 26 hours", async () => {
    expect(await lateIn(0)).toMatchObject({ backup: false });
    await sql("insert into private.backup_checks (night, begun_at, ended_at, row_count) values (current_date - 1, now(), now(), 7)");
    expect([await lateIn(25 * 60), await lateIn(27 * 60)]).toMatchObject([{ backup: false }, { backup: true }]);
    await sql("insert into private.backup_checks (night, begun_at) values (current_date, now())");
    expect(await lateIn(0)).toMatchObject({ backup: false });
    await sql("update private.backup_checks set ended_at = now(), problem = 'damaged' where row_count is null");
    expect(await lateIn(0)).toMatchObject({ backup: true });
  });
});
