import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import { authSchema } from "../config/auth.ts";
import type { Database } from "../db/database.ts";
import { cleanUp } from "./clean-up.ts";
import { startAuth, type TestAuth } from "./fixture.ts";

describeDatabases("the clean-up", (open) => {
  let database: Database;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
  });

  const count = async (table: string): Promise<unknown> =>
    (await api.sql(`select count(*)::integer as count from auth.${table}`))[0]?.["count"];

  test("deletes expired rows and nothing else", async () => {
    const { user } = await api.signIn("kept@larkfell.example");
    await api.client().auth.resetPasswordForEmail("kept@larkfell.example");
    await cleanUp({ database, settings: authSchema.parse({}) });
    expect([await count("one_time_tokens"), await count("mail_outbox"), await count("sessions")]).toEqual([1, 1, 1]);

    await api.sql("update auth.one_time_tokens set created_at = created_at - interval '3 days'");
    await api.sql("update auth.mail_outbox set created_at = created_at - interval '8 days'");
    await api.sql(
      "insert into auth.flow_state (id, provider_type, authentication_method, created_at) values (gen_random_uuid(), 'email', 'magiclink', now() - interval '3 days')",
    );
    await api.sql("insert into auth.setup_tokens (token_hash, expires_at) values ('old', now() - interval '1 second')");
    await api.sql("insert into auth.rate_limits (name, client, filled_until) values ('old', '', now() - interval '2 hours')");
    await api.sql("update auth.sessions set created_at = now() - interval '3 days', refreshed_at = null where user_id = $1", [user.id]);
    await cleanUp({ database, settings: authSchema.parse({ sessions: { timebox: "24h" } }) });
    for (const table of ["one_time_tokens", "mail_outbox", "flow_state", "setup_tokens", "sessions"])
      expect(await count(table), table).toBe(0);
    expect(await api.sql("select from auth.rate_limits where name = 'old'")).toEqual([]);
    expect(await count("users")).toBe(1);
  });

  test("deletes sessions a day after they ended by inactivity", async () => {
    const { user } = await api.signIn("idle@larkfell.example");
    // Only the first two were unused for more than 31 days; refreshed_at is in UTC.
    const sessions = [
      ["never refreshed", "745 hours", null],
      ["refreshed long ago", "9000 hours", "745 hours"],
      ["in its last day", "9000 hours", "743 hours"],
      ["new", "743 hours", null],
      ["refreshed", "9000 hours", "1 hour"],
    ];
    for (const [tag, created, refreshed] of sessions)
      await api.sql(
        `insert into auth.sessions (id, user_id, tag, created_at, refreshed_at)
          values (gen_random_uuid(), $1, $2, now() - $3::interval, now() at time zone 'utc' - $4::interval)`,
        [user.id, tag ?? null, created ?? null, refreshed ?? null],
      );
    await cleanUp({ database, settings: authSchema.parse({ sessions: { inactivity_timeout: "720h" } }) });
    expect((await api.sql("select tag from auth.sessions where tag is not null order by tag")).map(({ tag }) => tag)).toEqual([
      "in its last day",
      "new",
      "refreshed",
    ]);
    await api.sql("delete from auth.sessions");
  });

  test("keeps queued mail, and sessions of projects without a time limit", async () => {
    await api.signIn("stays@larkfell.example");
    await api.sql("update auth.sessions set created_at = now() - interval '400 days'");
    await api.sql(
      "insert into auth.mail_outbox (kind, recipient, subject, body_text, body_html, next_attempt_at, created_at) values ('invite', 'a@b.example', 's', 't', 'h', now(), now() - interval '9 days')",
    );
    await cleanUp({ database, settings: authSchema.parse({}) });
    expect([await count("sessions"), await count("mail_outbox")]).toEqual([1, 1]);
  });
});
