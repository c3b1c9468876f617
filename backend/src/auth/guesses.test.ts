import { beforeAll, beforeEach, expect, test } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import { authSchema } from "../config/auth.ts";
import type { Database, Row } from "../db/database.ts";
import { cleanUp } from "./clean-up.ts";
import { codeOf, factorCalls, type AppFactor, type FactorCalls } from "./factors/factor-fixture.ts";
import { PASSWORD, SECRET_KEY, startAuth, type Answer, type TestAuth } from "./fixture.ts";
import { openLink, takeMail, takeMails } from "./mail/outbox-fixture.ts";

const OFFICE = "198.51.100.1";
const HOTEL = "198.51.100.2";

describeDatabases("guesses", (open) => {
  let database: Database;
  let api: TestAuth;
  let as: FactorCalls;
  let email: string;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
    as = factorCalls(api);
  });

  beforeEach(async () => {
    await api.sql("delete from auth.guesses");
    await api.sql("delete from auth.rate_limits");
    as.move();
    email = as.freshEmail();
    const { error } = await api.client(SECRET_KEY).auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
    if (error) throw error;
  });

  const signIn = (password: string, from?: string, address = email): Promise<Answer> =>
    api.send("POST", "/token?grant_type=password", { body: { email: address, password }, ...(from && { from }) });

  async function fail(times: number, address = email): Promise<void> {
    for (let failure = 0; failure < times; failure += 1)
      expect((await signIn("wrong", undefined, address)).body.error_code).toBe("invalid_credentials");
  }

  const failures = (): Promise<Row[]> => api.sql("select failures from auth.guesses where network = ''");
  const setFailures = (count: number): Promise<Row[]> => api.sql("update auth.guesses set failures = $1", [count]);
  const wait = (interval: string): Promise<Row[]> =>
    api.sql("update auth.guesses set last_attempt_at = last_attempt_at - $1::text::interval", [interval]);

  test("after ten wrong passwords, networks without an earlier sign-in have to wait, even with the correct one", async () => {
    expect((await signIn(PASSWORD, OFFICE)).status).toBe(200);
    await fail(10);
    expect(await failures()).toEqual([{ failures: 10 }]);
    await api.sql("update auth.guesses set failures = 16 where network = ''");

    const { status, headers, body } = await signIn(PASSWORD, HOTEL);
    expect([status, body.error_code, body.msg]).toEqual([429, "over_request_rate_limit", "Request rate limit reached"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(40);
    expect((await signIn(PASSWORD, OFFICE)).status).toBe(200);
    expect(await failures()).toEqual([{ failures: 16 }]);

    await wait("64 seconds");
    expect((await signIn(PASSWORD, HOTEL)).status).toBe(200);
    await api.sql("update auth.guesses set failures = 16, last_attempt_at = now() where network = ''");
    expect((await signIn(PASSWORD, HOTEL)).status).toBe(200);
  });

  test.each([
    [9, 0],
    [13, 8],
    [14, 16],
    [21, 2048],
    [22, 3600],
    [2_000_000, 3600],
  ])("after %i failures the next attempt waits %i seconds", async (count, seconds) => {
    await fail(1);
    const before = performance.now();
    await api.sql("update auth.guesses set failures = $1, last_attempt_at = clock_timestamp()", [count]);
    const { status, headers } = await signIn(PASSWORD);
    const passed = (performance.now() - before) / 1000;
    expect(status).toBe(seconds === 0 ? 200 : 429);
    const left = Number(headers.get("retry-after"));
    expect(left).toBeLessThanOrEqual(seconds);
    expect(left).toBeGreaterThanOrEqual(Math.floor(seconds - passed));
  });

  test("a guess that has to wait writes nothing", async () => {
    await fail(1);
    await setFailures(16);
    expect((await signIn("wrong", HOTEL)).status).toBe(429);
    expect(await api.sql("select name from auth.rate_limits where client = $1", [HOTEL])).toEqual([]);
  });

  test("the embedded database works on one refused guess at a time", async () => {
    await fail(1);
    await setFailures(16);
    let running = 0;
    let most = 0;
    const observed: Database = {
      ...database,
      async transaction(work, options) {
        running += 1;
        most = Math.max(most, running);
        try {
          return await database.transaction(work, options);
        } finally {
          running -= 1;
        }
      },
    };
    const watched = await startAuth(observed);
    const guess = { body: { email, password: "wrong" } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => watched.send("POST", "/token?grant_type=password", guess)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(429));
    if (database.kind === "pglite") expect(most).toBe(1);
    else expect(most).toBeGreaterThan(1);
  });

  test("of several attempts at the end of a wait, one is answered", async () => {
    await fail(1);
    await setFailures(20);
    await wait("2 hours");
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn("wrong")));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  test("a network with an earlier sign-in has its own failures, which a sign-in resets", async () => {
    await signIn(PASSWORD, OFFICE);
    for (let failure = 0; failure < 10; failure += 1) await signIn("wrong", OFFICE);
    expect(await api.sql("select failures from auth.guesses")).toEqual([{ failures: 10 }]);
    await setFailures(20);
    expect((await signIn(PASSWORD, OFFICE)).status).toBe(429);
    expect((await signIn(PASSWORD, HOTEL)).status).toBe(200);
    await wait("1 hour");
    expect((await signIn(PASSWORD, OFFICE)).status).toBe(200);
    expect(await api.sql("select distinct failures from auth.guesses")).toEqual([{ failures: 0 }]);
  });

  test("an address without an account gets the same answers and no mail", async () => {
    const unknown = `un${email}`;
    await fail(10, unknown);
    await setFailures(20);
    expect((await signIn(PASSWORD, HOTEL, unknown)).status).toBe(429);
    expect(await takeMails(api, unknown)).toEqual([]);
    expect(JSON.stringify(await api.sql("select * from auth.guesses"))).not.toContain(unknown);
  });

  test("the owner gets one mail a day, without a code and a link", async () => {
    await signIn(PASSWORD, OFFICE);
    await fail(10);
    const mail = await takeMail(api, email);
    expect(mail).toMatchObject({ kind: "password_guesses", subject: "Failed attempts to sign in to your account", code: "", link: "" });
    expect(mail.text).toContain(email);
    expect(mail.html).not.toContain("{{");
    expect(mail.html).not.toContain("<a ");
    for (let failure = 0; failure < 10; failure += 1) await signIn("wrong", OFFICE);
    expect(await takeMails(api, email)).toEqual([]);
  });

  test("recovery by mail works during the wait and makes the network known", async () => {
    await fail(10);
    await setFailures(25);
    await api.sql("delete from auth.mail_outbox");
    expect((await signIn(PASSWORD, HOTEL)).status).toBe(429);
    await api.client().auth.resetPasswordForEmail(email);
    const { link, hash } = await takeMail(api, email);
    expect(link).not.toBe("");
    const body = { type: "recovery", token_hash: hash };
    expect((await api.send("POST", "/verify", { body, from: HOTEL })).status).toBe(200);
    expect((await signIn(PASSWORD, HOTEL)).status).toBe(200);

    await api.sql("delete from auth.rate_limits");
    await api.client().auth.resetPasswordForEmail(email);
    expect((await openLink(api, (await takeMail(api, email)).link)).hash).toContain("access_token");
  });

  test("failures are forgotten after a day without an attempt", async () => {
    await signIn(PASSWORD, OFFICE);
    await fail(1);
    await setFailures(20);
    await wait("25 hours");
    await signIn("wrong", HOTEL);
    expect(await failures()).toEqual([{ failures: 1 }]);
    await wait("25 hours");
    await cleanUp({ database, settings: authSchema.parse({}) });
    expect(await failures()).toEqual([]);
    expect(await api.sql("select from auth.guesses")).toHaveLength(1);
    await wait("91 days");
    await cleanUp({ database, settings: authSchema.parse({}) });
    expect(await api.sql("select from auth.guesses")).toEqual([]);
  });

  test("nobody waits longer because the clock was set back", async () => {
    await fail(1);
    await setFailures(22);
    await wait("-2 hours");
    expect((await signIn("wrong")).status).toBe(400);
    expect(Number((await signIn("wrong")).headers.get("retry-after"))).toBeLessThanOrEqual(3600);
  });

  test("a banned account is answered as often as one that is not", async () => {
    await api.sql("update auth.users set banned_until = now() + interval '1 hour' where email = $1", [email]);
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await signIn("wrong")).body.error_code).toBe("user_banned");
    await setFailures(20);
    expect((await signIn("wrong")).status).toBe(429);
    expect(await takeMails(api, email)).toEqual([]);
  });

  test("wrong current passwords in a change of password are guesses too", async () => {
    const asking = await startAuth(database, { email: { require_current_password: true } });
    const token = String((await signIn(PASSWORD, OFFICE)).body.access_token);
    const change = (current: string, from?: string): Promise<Answer> =>
      asking.send("PUT", "/user", { token, body: { password: "another good password", current_password: current }, ...(from && { from }) });
    await api.sql("delete from auth.audit_log_entries");
    for (let failure = 0; failure < 10; failure += 1) expect((await change("wrong")).body.error_code).toBe("current_password_invalid");
    expect(await failures()).toEqual([{ failures: 10 }]);
    const entries = "select payload -> 'traits' as traits from auth.audit_log_entries where payload ->> 'action' = 'login_failed'";
    const entry = { traits: { reason: "current_password_invalid" } };
    expect(await api.sql(entries)).toEqual(Array.from({ length: 10 }, () => entry));
    expect((await takeMail(api, email)).kind).toBe("password_guesses");
    await api.sql("update auth.guesses set failures = 20 where network = ''");
    expect((await change(PASSWORD, HOTEL)).status).toBe(429);
    expect((await signIn(PASSWORD, HOTEL)).status).toBe(429);
    expect((await change(PASSWORD, OFFICE)).status).toBe(200);
  });

  test("ten wrong codes of a second factor delay networks that never proved it, and the owner gets a mail", async () => {
    const { session, factor } = await as.protectedMember();
    const owner = String(session.user.email);
    const home = as.move();
    expect((await as.prove(session, factor)).status).toBe(200);
    const thief = await as.signInAgain(owner);
    const prove = async (from: string, code?: string, used: AppFactor = factor): Promise<Answer> => {
      const { body } = await api.send("POST", `/factors/${used.id}/challenge`, { token: thief.access_token, body: {}, from });
      const answer = { challenge_id: body.id, code: code ?? (await codeOf(used.secret, 1)) };
      return api.send("POST", `/factors/${used.id}/verify`, { token: thief.access_token, body: answer, from });
    };
    for (let failure = 0; failure < 10; failure += 1) {
      const { body } = await prove(`203.0.113.${failure}`, "000000");
      expect(body.error_code).toBe("mfa_verification_failed");
    }
    expect(await takeMail(api, owner)).toMatchObject({ kind: "factor_guesses", subject: "Somebody may know your password" });
    await api.sql("update auth.guesses set failures = 20 where failures = 10");

    const delayed = await prove(HOTEL);
    expect([delayed.status, delayed.body.error_code]).toEqual([429, "over_request_rate_limit"]);
    expect(Number(delayed.headers.get("retry-after"))).toBeGreaterThan(900);
    expect((await prove(home)).status).toBe(200);
  });
});
