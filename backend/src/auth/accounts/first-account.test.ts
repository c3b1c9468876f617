import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { describeDatabases } from "../../../test/database.ts";
import { PASSWORD, startAuth, type Answer, type TestAuth } from "../fixture.ts";

describeDatabases("the first account", (open) => {
  let database: Database;
  let api: TestAuth;
  const email = "first@larkfell.example";

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { enable_signup: false, minimum_password_length: 10 });
  });
  beforeEach(() => api.sql("truncate auth.users, auth.setup_tokens cascade"));

  const setUp = (token: string | null, account: object = { email, password: PASSWORD }): Promise<Answer> =>
    api.send("POST", "/setup", { body: { token, ...account } });
  const countUsers = async (): Promise<unknown> => (await api.sql("select count(*) as users from auth.users"))[0]?.users;

  test("the set-up token creates it and signs it in", async () => {
    const token = await api.createSetupToken();
    expect(token).toMatch(/^[\w-]{43}$/);
    const { status, body } = await setUp(token);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({ email, email_confirmed_at: expect.any(String), role: "authenticated" });
    expect((await api.send("GET", "/user", { token: String(body.access_token) })).status).toBe(200);
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("only the hash of the token is stored, and the token is not logged", async () => {
    const token = (await api.createSetupToken()) ?? "";
    await setUp(token, { email, password: "short" });
    expect(JSON.stringify(await api.sql("select * from auth.setup_tokens")) + api.logged.join("")).not.toContain(token);
  });

  test("a token works once and invalidates all others", async () => {
    const [token, other] = [await api.createSetupToken(), await api.createSetupToken()];
    expect((await setUp(token)).status).toBe(200);
    for (const spent of [token, other]) {
      const { status, body } = await setUp(spent, { email: "second@larkfell.example", password: PASSWORD });
      expect([status, body.error_code, body.msg]).toEqual([403, "otp_expired", "Email link is invalid or has expired"]);
    }
    expect(await api.sql("select from auth.setup_tokens")).toEqual([]);
    expect(await api.createSetupToken()).toBeNull();
  });

  test.each([["wrong"], [""], [null]])("a token that was never made (%o) makes nothing", async (token) => {
    await api.createSetupToken();
    expect((await setUp(token)).body.error_code).toBe("otp_expired");
    expect(await countUsers()).toBe(0);
  });

  test("the token expires after an hour, and the next one deletes it", async () => {
    const token = await api.createSetupToken();
    const [row] = await api.sql("select extract(epoch from expires_at - created_at)::integer as seconds from auth.setup_tokens");
    expect(row).toEqual({ seconds: 3600 });
    await api.sql("update auth.setup_tokens set expires_at = now()");
    expect((await setUp(token)).body.error_code).toBe("otp_expired");
    await api.createSetupToken();
    expect(await api.sql("select from auth.setup_tokens")).toHaveLength(1);
  });

  test.each([
    ["a weak password", { email, password: "short" }, 422, "weak_password"],
    ["a password over 72 bytes", { email, password: "x".repeat(73) }, 400, "validation_failed"],
    ["a malformed address", { email: "first", password: PASSWORD }, 400, "validation_failed"],
    ["no address", { password: PASSWORD }, 400, "validation_failed"],
  ])("%s is refused and does not use up the token", async (_what, account, status, code) => {
    const token = await api.createSetupToken();
    const answer = await setUp(token, account);
    expect([answer.status, answer.body.error_code]).toEqual([status, code]);
    expect((await setUp(token)).status).toBe(200);
  });

  test("a token is invalid once an account exists", async () => {
    const token = await api.createSetupToken();
    await api.signIn("other@larkfell.example");
    expect((await setUp(token)).body.error_code).toBe("otp_expired");
    expect(await countUsers()).toBe(1);
  });

  test("ten concurrent uses of tokens create one account", async () => {
    const other = await startAuth(database, { enable_signup: false });
    const tokens = [await api.createSetupToken(), await other.createSetupToken()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index < 5 ? api : other).send("POST", "/setup", {
          body: { token: tokens[index % 2], email: `first${index}@larkfell.example`, password: PASSWORD },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await countUsers()).toBe(1);
  });

  test("several processes create the account of the environment once", async () => {
    const other = await startAuth(database);
    const made = await Promise.all([api, other, api].map((by) => by.ensureStaff({ email, password: PASSWORD })));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await api.ensureStaff({ email: "second@larkfell.example", password: PASSWORD })).toBe(false);
    expect(await countUsers()).toBe(1);
    expect(await api.createSetupToken()).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("the account of the environment must satisfy the password policy", async () => {
    await expect(api.ensureStaff({ email, password: "short" })).rejects.toMatchObject({ code: "weak_password" });
  });
});
