import { hash as argon2 } from "@node-rs/argon2";
import { hash } from "@node-rs/bcrypt";
import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import type { Database } from "../../db/database.ts";
import { PASSWORD, SECRET_KEY, startAuth, type Answer, type TestAuth } from "../fixture.ts";

describeDatabases("limits of sessions and passwords", (open) => {
  let database: Database;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { sessions: { timebox: "24h", inactivity_timeout: "8h" } });
  });

  const refresh = (token: string): Promise<Answer> =>
    api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token } });

  test.each([
    ["the time limit", "created_at = now() - interval '25 hours', refreshed_at = now() at time zone 'utc'", ""],
    ["the inactivity limit since its last refresh", "refreshed_at = (now() - interval '9 hours') at time zone 'utc'", " (Inactivity)"],
    ["the inactivity limit since its start", "created_at = now() - interval '9 hours'", " (Inactivity)"],
  ])("a session is limited by %s", async (_limit, change, variant) => {
    const { refresh_token: token, user } = await api.signIn(`limited${variant.length + change.length}@larkfell.example`);
    const { body } = await refresh(token);
    expect(body.refresh_token).toEqual(expect.any(String));
    if (change.startsWith("created_at = now() - interval '9")) await api.sql("update auth.sessions set refreshed_at = null");
    await api.sql(`update auth.sessions set ${change} where user_id = $1`, [user.id]);
    const answer = await refresh(String(body.refresh_token));
    expect(answer.body).toEqual({ code: 400, error_code: "session_expired", msg: `Invalid Refresh Token: Session Expired${variant}` });
  });

  test("an account with a bcrypt hash from a hosted project signs in, and the hash is replaced by argon2id", async () => {
    const email = "imported@larkfell.example";
    // For passwords without a zero byte, the two versions differ in their name only.
    const password_hash = (await hash(PASSWORD, 4)).replace("$2b$", "$2a$");
    const { error } = await api.client(SECRET_KEY).auth.admin.createUser({ email, password_hash, email_confirm: true });
    expect(error).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email, password: "wrong" })).error?.code).toBe("invalid_credentials");
    for (const starts of [/^\$2a\$/, /^\$argon2id\$/]) {
      const [row] = await api.sql("select encrypted_password from auth.users where email = $1", [email]);
      expect(row?.encrypted_password).toMatch(starts);
      expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
    }
  });

  test("two sign-ins at the same time open two sessions, although the first replaces the hash of the password", async () => {
    const email = "twice@larkfell.example";
    const password_hash = await hash(PASSWORD, 4);
    await api.client(SECRET_KEY).auth.admin.createUser({ email, password_hash, email_confirm: true });
    const signIn = () => api.client().auth.signInWithPassword({ email, password: PASSWORD });
    const answers = await Promise.all([signIn(), signIn()]);
    expect(answers.map(({ error }) => error)).toEqual([null, null]);
  });

  test("an argon2 hash with another cost is replaced", async () => {
    const email = "cheap@larkfell.example";
    const password_hash = await argon2(PASSWORD, { memoryCost: 32, timeCost: 1, parallelism: 1 });
    await api.client(SECRET_KEY).auth.admin.createUser({ email, password_hash, email_confirm: true });
    for (const cost of ["m=32", "m=64"]) {
      const [row] = await api.sql("select encrypted_password from auth.users where email = $1", [email]);
      expect(row?.encrypted_password).toContain(cost);
      expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
    }
  });

  test("an invalid hash, or one with a cost that blocks a thread for minutes, is not imported", async () => {
    const argon2id = (cost: string): string => `$argon2id$v=19$${cost}$${"a".repeat(22)}$${"b".repeat(43)}`;
    const costly = ["m=9999999,t=1,p=1", "m=131073,t=1,p=1", "m=65536,t=99,p=1", "m=65536,t=3,p=0", "m=65536,t=00,p=1", "m=7,t=1,p=1"];
    for (const password_hash of [`$2b$31$${"a".repeat(53)}`, "$2b$10$short", "plain", ...costly.map(argon2id)]) {
      const { error } = await api.client(SECRET_KEY).auth.admin.createUser({ email: "no@larkfell.example", password_hash });
      expect(error).toMatchObject({ status: 400, code: "validation_failed" });
    }
  });

  const classes: [
    password: string,
    requirement: "letters_digits" | "lower_upper_letters_digits" | "lower_upper_letters_digits_symbols",
    reasons: string[],
  ][] = [
    ["longenough", "letters_digits", ["characters"]],
    ["longenough1", "letters_digits", []],
    ["longenough1", "lower_upper_letters_digits", ["characters"]],
    ["Longenough1", "lower_upper_letters_digits", []],
    ["Longenough1", "lower_upper_letters_digits_symbols", ["characters"]],
    ["Longenough1!", "lower_upper_letters_digits_symbols", []],
    ["a1", "lower_upper_letters_digits", ["length", "characters"]],
  ];
  test.each(classes)("the weaknesses of the password %s under the policy %s are %j", async (password, requirement, reasons) => {
    const strict = await startAuth(database, { password_requirements: requirement });
    const email = `${requirement}-${password.toLowerCase().replace(/\W/, "x")}@larkfell.example`;
    const { error } = await strict.client().auth.signUp({ email, password });
    if (reasons.length === 0) expect(error).toBeNull();
    else expect(error).toMatchObject({ status: 422, code: "weak_password", reasons });
  });
});
