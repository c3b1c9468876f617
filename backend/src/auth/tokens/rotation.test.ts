import { beforeAll, describe, expect, inject, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { createTestPostgres, describeDatabases, testLog } from "../../../test/database.ts";
import { openPostgres } from "../../db/postgres/postgres.ts";
import { startAuth, type Answer, type TestAuth } from "../fixture.ts";
import { judge, type Presented, type Verdict } from "./rotation.ts";

const judged: [presented: string, facts: Presented, verdict: Verdict][] = [
  ["the active token", { revoked: false, active: "a", parentOfActive: false, recent: true }, "rotate"],
  ["the active token after years", { revoked: false, active: "a", parentOfActive: false, recent: false }, "rotate"],
  ["the active token's parent at once", { revoked: true, active: "a", parentOfActive: true, recent: true }, "repeat"],
  ["the active token's parent after years", { revoked: true, active: "a", parentOfActive: true, recent: false }, "repeat"],
  ["a grandparent within the interval", { revoked: true, active: "a", parentOfActive: false, recent: true }, "repeat"],
  ["a grandparent after the interval", { revoked: true, active: "a", parentOfActive: false, recent: false }, "refuse"],
  [
    "any token of a revoked family, even within the interval",
    { revoked: true, active: null, parentOfActive: false, recent: true },
    "refuse",
  ],
];

test.each(judged)("%s gets the verdict of the wire contract", (_presented, facts, verdict) => {
  expect(judge(facts)).toBe(verdict);
});

describeDatabases("refresh tokens", (open, kind) => {
  let database: Database;
  let api: TestAuth;
  let accounts = 0;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
  });

  const signIn = async (): Promise<string> => (await api.signIn(`refresher${(accounts += 1)}@larkfell.example`)).refresh_token;
  const refresh = (token: unknown, by: TestAuth = api): Promise<Answer> =>
    by.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token } });
  const next = async (token: unknown): Promise<string> => String((await refresh(token)).body.refresh_token);
  /** Moves all refreshes of a session into the past by a number of seconds. */
  const age = (token: string, seconds: number): Promise<unknown> =>
    api.sql(
      `update auth.refresh_tokens set updated_at = updated_at - $2::float8 * interval '1 second'
        where session_id = (select session_id from auth.refresh_tokens where token = $1)`,
      [token, seconds],
    );

  test("supabase-js refreshes a session without starting another one", async () => {
    const client = api.client();
    const session = await api.signIn("client@larkfell.example");
    await client.auth.setSession(session);
    const before = (await client.auth.getClaims()).data?.claims;
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    const after = (await client.auth.getClaims()).data?.claims;
    expect([after?.session_id, after?.aal, after?.amr]).toEqual([before?.session_id, before?.aal, before?.amr]);
  });

  test("each refresh issues a child of the presented token and revokes the presented token", async () => {
    const first = await signIn();
    const second = await next(first);
    expect(
      await api.sql("select token, revoked, parent from auth.refresh_tokens where token in ($1, $2) order by id", [first, second]),
    ).toEqual([
      { token: first, revoked: true, parent: null },
      { token: second, revoked: false, parent: first },
    ]);
  });

  test("the direct parent gets the active token again at any time", async () => {
    const first = await signIn();
    const second = await next(first);
    await age(first, 86_400);
    const late = await refresh(first);
    expect(late.status).toBe(200);
    expect(late.body.refresh_token).toBe(second);
  });

  test("an older token gets the active one within the interval", async () => {
    const first = await signIn();
    const third = await next(await next(first));
    expect((await refresh(first)).body.refresh_token).toBe(third);
  });

  test("an older token after the interval revokes all tokens of the session permanently", async () => {
    const first = await signIn();
    const second = await next(first);
    const third = await next(second);
    await age(first, 11);
    const stolen = await refresh(first);
    expect(stolen.status).toBe(400);
    expect(stolen.body).toEqual({ code: 400, error_code: "refresh_token_already_used", msg: "Invalid Refresh Token: Already Used" });
    for (const token of [third, second, first]) expect((await refresh(token)).body.error_code).toBe("refresh_token_already_used");
  });

  test("config.toml sets the reuse interval", async () => {
    const patient = await startAuth(database, { refresh_token_reuse_interval: 60 });
    const strict = await startAuth(database, { refresh_token_reuse_interval: 0 });
    const first = await signIn();
    await next(await next(first));
    await age(first, 11);
    expect((await refresh(first, patient)).status).toBe(200);
    expect((await refresh(first, strict)).body.error_code).toBe("refresh_token_already_used");
  });

  test("with rotation off a reuse is refused and the session stays valid", async () => {
    const lenient = await startAuth(database, { enable_refresh_token_rotation: false, refresh_token_reuse_interval: 0 });
    const first = await signIn();
    const third = await next(await next(first));
    await age(first, 11);
    expect((await refresh(first, lenient)).body.error_code).toBe("refresh_token_already_used");
    expect((await refresh(third)).status).toBe(200);
  });

  test("fifty concurrent refreshes of one token all return the same valid token", async () => {
    const first = await signIn();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(first)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const tokens = new Set(answers.map(({ body }) => body.refresh_token));
    expect(tokens.size).toBe(1);
    expect((await refresh([...tokens][0])).status).toBe(200);
    for (const { body } of answers) expect((await api.send("GET", "/user", { token: String(body.access_token) })).status).toBe(200);
  });

  test("a session cannot be refreshed after sign-out", async () => {
    const session = await api.signIn("gone@larkfell.example");
    await api.send("POST", "/logout", { token: session.access_token });
    expect((await refresh(session.refresh_token)).body.error_code).toBe("refresh_token_not_found");
  });

  test("a token whose session is missing is refused", async () => {
    const first = await signIn();
    await api.sql("update auth.refresh_tokens set session_id = null where token = $1", [first]);
    expect((await refresh(first)).body).toEqual({
      code: 400,
      error_code: "session_not_found",
      msg: "Invalid Refresh Token: No Valid Session Found",
    });
  });

  test("a session after its end is refused", async () => {
    const first = await signIn();
    await api.sql("update auth.sessions set not_after = now() where id = (select session_id from auth.refresh_tokens where token = $1)", [
      first,
    ]);
    expect((await refresh(first)).body).toEqual({
      code: 400,
      error_code: "session_expired",
      msg: "Invalid Refresh Token: Session Expired",
    });
  });

  test.each(["infinity", "10000-01-01"])("an account banned until %s cannot refresh", async (end) => {
    const session = await api.signIn(`banned-until-${end}@larkfell.example`);
    await api.sql("update auth.users set banned_until = $2::text::timestamptz where id = $1", [session.user.id, end]);
    expect((await refresh(session.refresh_token)).body).toEqual({
      code: 400,
      error_code: "user_banned",
      msg: "Invalid Refresh Token: User Banned",
    });
  });

  // The embedded database has one connection, so no other transaction can hold the lock.
  test.runIf(kind === "postgres")("a family locked for more than five seconds is a conflict", async () => {
    const first = await signIn();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const holder = database.transaction(async (tx) => {
      await tx.query("select from auth.sessions where id = (select session_id from auth.refresh_tokens where token = $1) for update", [
        first,
      ]);
      lock();
      await released;
    });
    await locked;
    const answer = await refresh(first);
    release();
    await holder;
    expect([answer.status, answer.body.error_code]).toEqual([409, "conflict"]);
  });
});

describe.skipIf(inject("postgres") === null)("two processes on one Postgres", () => {
  test("fifty refreshes of one token in two processes all return the same valid token", async () => {
    const { url, remove } = await createTestPostgres();
    const databases = [
      await openPostgres({ url, poolSize: 4, log: testLog }),
      await openPostgres({ url, poolSize: 4, log: testLog }),
    ] as const;
    const [here, there] = [await startAuth(databases[0]), await startAuth(databases[1])];
    const { refresh_token: token } = await here.signIn("two@larkfell.example");
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? here : there).send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token } }),
      ),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${String(body.refresh_token)}`)).size).toBe(1);
    const [answer] = answers;
    expect(answer?.status).toBe(200);
    expect((await there.client().auth.refreshSession({ refresh_token: String(answer?.body.refresh_token) })).error).toBeNull();
    await Promise.all(databases.map((database) => database.close()));
    await remove();
  });
});
