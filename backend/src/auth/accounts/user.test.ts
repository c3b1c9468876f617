import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { describeDatabases } from "../../../test/database.ts";
import { interrupted, PASSWORD, SECRET_KEY, startAuth, type Answer, type TestAuth } from "../fixture.ts";

describeDatabases("the caller's own account", (open) => {
  let database: Database;
  let api: TestAuth;
  let accounts = 0;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
  });

  const freshEmail = (): string => `person${(accounts += 1)}@larkfell.example`;
  const statusOf = async (token: string): Promise<number> => (await api.send("GET", "/user", { token })).status;
  const put = (token: string, body: unknown): Promise<Answer> => api.send("PUT", "/user", { token, body });

  test("metadata is merged by key, and null deletes a key", async () => {
    const client = api.client();
    await client.auth.setSession(await api.signIn(freshEmail()));
    await client.auth.updateUser({ data: { name: "Ada", town: "Kendal" } });
    const { data, error } = await client.auth.updateUser({ data: { town: null, tags: ["a"], address: { road: null } } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toEqual({ email_verified: true, name: "Ada", tags: ["a"], address: { road: null } });
  });

  test("metadata that is nested too deep is refused, and the account keeps working", async () => {
    const email = freshEmail();
    const { access_token: token } = await api.signIn(email);
    const nested = (levels: number): string => `{"data":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;
    for (const levels of [101, 5000, 10_000]) {
      const { status, body } = await api.send("PUT", "/user", { token, body: nested(levels) });
      expect([status, body.error_code, String(body.msg).includes("nested deeper than 100 levels")]).toEqual([400, "bad_json", true]);
    }
    expect((await api.send("PUT", "/user", { token, body: nested(100) })).status).toBe(200);
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("a new password works at once and the old one stops working", async () => {
    const email = freshEmail();
    const client = api.client();
    await client.auth.setSession(await api.signIn(email));
    expect((await client.auth.updateUser({ password: "another good password" })).error).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email, password: "another good password" })).error).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toMatchObject({
      code: "invalid_credentials",
    });
  });

  test("a new password ends every other session and one-time token, and keeps this session", async () => {
    const email = freshEmail();
    const here = await api.signIn(email);
    const { data: there } = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
    await api.sql(
      "insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to) values (gen_random_uuid(), $1, 'recovery_token', 'hash', $2)",
      [here.user.id, email],
    );
    expect((await put(here.access_token, { password: "another good password" })).status).toBe(200);
    expect(await statusOf(here.access_token)).toBe(200);
    expect(await statusOf(there.session?.access_token ?? "")).toBe(403);
    const refreshed = await api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: there.session?.refresh_token } });
    expect(refreshed.body.error_code).toBe("refresh_token_not_found");
    expect(await api.sql("select from auth.one_time_tokens where user_id = $1", [here.user.id])).toEqual([]);
  });

  test("a session that ended while the new password was hashed changes nothing", async () => {
    const email = freshEmail();
    const stolen = await api.signIn(email);
    // The guard, the limit and the change are a transaction each.
    const slowed = interrupted(database, 3, () => api.sql("delete from auth.sessions where user_id = $1", [stolen.user.id]));
    const racing = await startAuth(slowed);
    const answer = await racing.send("PUT", "/user", { token: stolen.access_token, body: { password: "the thief's password" } });
    expect([answer.status, answer.body.error_code]).toEqual([403, "session_not_found"]);
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("supabase-js reports the reasons of a weak password", async () => {
    const client = api.client();
    await client.auth.setSession(await api.signIn(freshEmail()));
    const { error } = await client.auth.updateUser({ password: "short" });
    expect(error).toMatchObject({ name: "AuthWeakPasswordError", status: 422, code: "weak_password", reasons: ["length"] });
  });

  const refused: [input: string, body: unknown, status: number, code: string, message: string][] = [
    ["the same password", { password: PASSWORD }, 422, "same_password", "New password should be different from the old password."],
    ["an empty password", { password: "" }, 422, "weak_password", "Password should be at least 6 characters."],
    ["73 bytes of password", { password: "é".repeat(36) + "x" }, 400, "validation_failed", "Password cannot be longer than 72 characters"],
    ["app_metadata", { app_metadata: { role: "admin" } }, 403, "not_admin", "Updating app_metadata requires admin privileges"],
    ["a malformed address", { email: "nobody" }, 400, "validation_failed", "Unable to validate email address: invalid format"],
    ["an address that is too long", { email: `${"a".repeat(250)}@b.example` }, 400, "validation_failed", "An email address is too long"],
    [
      "somebody's address",
      { email: "taken@larkfell.example" },
      422,
      "email_exists",
      "A user with this email address has already been registered",
    ],
    ["a malformed phone number", { phone: "0-800" }, 400, "validation_failed", "Invalid phone number format (E.164 required)"],
    ["a new phone number", { phone: "+447700900456" }, 400, "phone_provider_disabled", "Phone numbers cannot be changed here"],
    [
      "metadata that is no object",
      { data: "x" },
      400,
      "bad_json",
      "Could not parse request body as JSON: data: Invalid input: expected record, received string",
    ],
  ];
  test.each(refused)("%s is refused", async (_input, body, status, code, message) => {
    await api.client(SECRET_KEY).auth.admin.createUser({ email: "taken@larkfell.example" });
    const { access_token: token } = await api.signIn(freshEmail());
    const answer = await put(token, body);
    expect(answer.body).toMatchObject({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });

  test("accepts a password of 72 bytes, and the unchanged address", async () => {
    const email = freshEmail();
    const { access_token: token } = await api.signIn(email);
    expect((await put(token, { password: "é".repeat(36), email: email.toUpperCase() })).status).toBe(200);
  });

  test("with a verified factor, credentials change at aal2 only, and metadata at any level", async () => {
    const { access_token: token, refresh_token: refreshToken, user } = await api.signIn(freshEmail());
    await api.sql(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at, secret)
        values (gen_random_uuid(), $1, 'totp', 'verified', now(), now(), 'the factor secret')`,
      [user.id],
    );
    const changed = await put(token, { password: "another good password" });
    expect([changed.status, changed.body.error_code]).toEqual([401, "insufficient_aal"]);
    const shown = await put(token, { data: { name: "Ada" } });
    expect(shown.status).toBe(200);
    expect(shown.body.factors).toEqual([expect.objectContaining({ factor_type: "totp", status: "verified", phone: null })]);
    expect(JSON.stringify(shown.body)).not.toContain("the factor secret");
    await api.sql(
      `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        select gen_random_uuid(), id, now(), now(), 'totp' from auth.sessions where user_id = $1`,
      [user.id],
    );
    // The token itself is from before the factor was used.
    expect((await put(token, { password: "another good password" })).body.error_code).toBe("insufficient_aal");
    const { body: raised } = await api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: refreshToken } });
    expect((await put(String(raised.access_token), { password: "another good password" })).status).toBe(200);
  });

  test("a single sign-on account cannot change its credentials", async () => {
    const { access_token: token, user } = await api.signIn(freshEmail());
    await api.sql("update auth.users set is_sso_user = true where id = $1", [user.id]);
    const answer = await put(token, { password: "another good password" });
    expect([answer.status, answer.body.error_code]).toEqual([422, "user_sso_managed"]);
  });

  test("a global sign-out ends every access token at once", async () => {
    const email = freshEmail();
    const here = await api.signIn(email);
    const { data: there } = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
    const client = api.client();
    await client.auth.setSession(here);
    expect((await client.auth.signOut()).error).toBeNull();
    expect([await statusOf(here.access_token), await statusOf(there.session?.access_token ?? "")]).toEqual([403, 403]);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test.each([
    ["local", [403, 200]],
    ["others", [200, 403]],
    ["global", [403, 403]],
  ] as const)("a sign-out with scope %s ends the sessions of that scope", async (scope, [here, there]) => {
    const email = freshEmail();
    const session = await api.signIn(email);
    const { data: other } = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
    const stranger = await api.signIn(freshEmail());
    const answer = await api.send("POST", `/logout?scope=${scope}`, { token: session.access_token });
    expect([answer.status, answer.body]).toEqual([204, {}]);
    expect([await statusOf(session.access_token), await statusOf(other.session?.access_token ?? "")]).toEqual([here, there]);
    expect(await statusOf(stranger.access_token)).toBe(200);
  });

  test("an unknown scope ends no session", async () => {
    const { access_token: token } = await api.signIn(freshEmail());
    const answer = await api.send("POST", "/logout?scope=all", { token });
    expect(answer.body).toEqual({ code: 400, error_code: "validation_failed", msg: 'Unsupported logout scope "all"' });
    expect(await statusOf(token)).toBe(200);
  });

  test("supabase-js deletes a session that was ended elsewhere", async () => {
    const client = api.client();
    const session = await api.signIn(freshEmail());
    await client.auth.setSession(session);
    await api.sql("delete from auth.sessions where user_id = $1", [session.user.id]);
    expect((await client.auth.getUser()).error).toMatchObject({ name: "AuthSessionMissingError" });
    expect((await client.auth.getSession()).data.session).toBeNull();
  });
});
