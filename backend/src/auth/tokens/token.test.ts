import * as jose from "jose";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { describeDatabases } from "../../../test/database.ts";
import { interrupted, PASSWORD, SECRET_KEY, SITE_URL, SMS_SECRET, startAuth, type TestAuth } from "../fixture.ts";

describeDatabases("sign-in", (open) => {
  let database: Database;
  let api: TestAuth;
  const email = "staff@larkfell.example";

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
    await api.signIn(email);
  });

  test("supabase-js signs in with the correct password and gets a session", async () => {
    const client = api.client();
    const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      role: "authenticated",
      is_anonymous: false,
      app_metadata: { provider: "email", providers: ["email"] },
    });
    expect((await client.auth.getUser()).data.user?.id).toBe(data.user?.id);
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ sub: data.user?.id, aal: "aal1" });
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
  });

  test("the token response has exactly the fields of the wire contract", async () => {
    const { status, headers, body } = await api.send("POST", "/token?grant_type=password", { body: { email, password: PASSWORD } });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual([
      "access_token",
      "expires_at",
      "expires_in",
      "refresh_token",
      "token_type",
      "user",
      "weak_password",
    ]);
    expect(body).toMatchObject({
      token_type: "bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[a-z0-9]{12}$/),
      weak_password: null,
    });
    expect(headers.get("sb-auth-user-id")).toBe(idOf(body));
    expect(headers.get("sb-auth-session-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("the access token has the claims of the wire contract and is signed with the published key", async () => {
    const { headers, body } = await api.send("POST", "/token?grant_type=password", { body: { email, password: PASSWORD } });
    const keys = await api.send("GET", "/.well-known/jwks.json");
    const { payload } = await jose.jwtVerify(String(body.access_token), jose.createLocalJWKSet({ keys: jwks(keys.body) }));
    const { iat, exp } = payload;
    expect(payload).toEqual({
      iss: `${SITE_URL}/auth/v1`,
      sub: idOf(body),
      aud: "authenticated",
      exp,
      iat,
      email,
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: { email_verified: true },
      role: "authenticated",
      aal: "aal1",
      amr: [{ method: "password", timestamp: expect.any(Number) }],
      session_id: headers.get("sb-auth-session-id"),
      is_anonymous: false,
    });
    expect(Number(exp) - Number(iat)).toBe(3600);
    expect(body.expires_at).toBe(exp);
  });

  test("the user has its identities, no secrets and no unset times", async () => {
    const { body } = await api.send("POST", "/token?grant_type=password", { body: { email, password: PASSWORD } });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const id = idOf(body);
    expect(body.user).toEqual({
      id,
      aud: "authenticated",
      role: "authenticated",
      email,
      phone: "",
      email_confirmed_at: time,
      confirmed_at: time,
      last_sign_in_at: time,
      created_at: time,
      updated_at: time,
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: { email_verified: true },
      identities: [
        {
          identity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          id,
          user_id: id,
          identity_data: { sub: id, email, email_verified: true, phone_verified: false },
          provider: "email",
          created_at: time,
          updated_at: time,
          email,
        },
      ],
      is_anonymous: false,
    });
  });

  test("the case of an email address does not matter", async () => {
    const { error } = await api.client().auth.signInWithPassword({ email: "STAFF@Larkfell.Example", password: PASSWORD });
    expect(error).toBeNull();
  });

  test("a correct password that the policy no longer accepts signs in, and the response says why it is weak", async () => {
    const strict = await startAuth(database, { minimum_password_length: 40 });
    const { status, body } = await strict.send("POST", "/token?grant_type=password", { body: { email, password: PASSWORD } });
    expect(status).toBe(200);
    expect(body.weak_password).toEqual({ message: "Password should be at least 40 characters.", reasons: ["length"] });
  });

  test("an unknown address, a wrong password and an account without a password get the same response", async () => {
    await api.client(SECRET_KEY).auth.admin.createUser({ email: "nopassword@larkfell.example", email_confirm: true });
    const answers = await Promise.all(
      [email, "unknown@larkfell.example", "nopassword@larkfell.example"].map((address) =>
        api.send("POST", "/token?grant_type=password", { body: { email: address, password: "wrong" } }),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toEqual({ code: 400, error_code: "invalid_credentials", msg: "Invalid login credentials" });
    }
  });

  test("only the correct password reveals that an address is unconfirmed", async () => {
    await api.client(SECRET_KEY).auth.admin.createUser({ email: "new@larkfell.example", password: PASSWORD });
    const right = await api.client().auth.signInWithPassword({ email: "new@larkfell.example", password: PASSWORD });
    const wrong = await api.client().auth.signInWithPassword({ email: "new@larkfell.example", password: "wrong" });
    expect(right.error).toMatchObject({ status: 400, code: "email_not_confirmed", message: "Email not confirmed" });
    expect(wrong.error).toMatchObject({ code: "invalid_credentials" });
  });

  test("a banned account is refused before its password is checked", async () => {
    const admin = api.client(SECRET_KEY).auth.admin;
    await admin.createUser({ email: "banned@larkfell.example", password: PASSWORD, email_confirm: true, ban_duration: "24h" });
    const { error } = await api.client().auth.signInWithPassword({ email: "banned@larkfell.example", password: "wrong" });
    expect(error).toMatchObject({ status: 400, code: "user_banned", message: "User is banned" });
  });

  test("a phone number signs in once it is confirmed", async () => {
    const phones = await startAuth(
      database,
      { sms: { enable_signup: true } },
      { smsHook: { url: "http://127.0.0.1:1", secrets: SMS_SECRET } },
    );
    const admin = api.client(SECRET_KEY).auth.admin;
    const { data } = await admin.createUser({ phone: "+44 7700 900123", password: PASSWORD });
    const before = await phones.client().auth.signInWithPassword({ phone: "+447700900123", password: PASSWORD });
    expect(before.error).toMatchObject({ status: 400, code: "phone_not_confirmed" });
    await admin.updateUserById(data.user?.id ?? "", { phone_confirm: true });
    const after = await phones.client().auth.signInWithPassword({ phone: "+447700900123", password: PASSWORD });
    expect(after.data.user).toMatchObject({ phone: "447700900123", email: "" });
  });

  const refused: [input: string, query: string, body: unknown, status: number, code: string, message: string][] = [
    ["no address", "password", { password: "x" }, 400, "validation_failed", "missing email or phone"],
    [
      "both addresses",
      "password",
      { email, phone: "1", password: "x" },
      400,
      "validation_failed",
      "Only an email address or phone number should be provided on login.",
    ],
    ["an unknown grant", "magic", {}, 400, "invalid_credentials", "unsupported_grant_type"],
    ["Web3", "web3", {}, 422, "web3_provider_disabled", "Web3 provider is disabled"],
    ["no grant", "", {}, 400, "invalid_credentials", "unsupported_grant_type"],
    ["a short refresh token", "refresh_token", { refresh_token: "short" }, 400, "validation_failed", "Refresh token is not valid"],
    ["no refresh token", "refresh_token", {}, 400, "validation_failed", "Refresh token is not valid"],
    [
      "a refresh token with other characters",
      "refresh_token",
      { refresh_token: "ABCDEFGHIJKL" },
      400,
      "validation_failed",
      "Refresh token is not valid",
    ],
    [
      "an unknown refresh token",
      "refresh_token",
      { refresh_token: "abcdefghijkl" },
      400,
      "refresh_token_not_found",
      "Invalid Refresh Token: Refresh Token Not Found",
    ],
  ];
  test.each(refused)("%s is refused as in the wire contract", async (_input, grant, body, status, code, message) => {
    const answer = await api.send("POST", `/token?grant_type=${grant}`, { body });
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });

  test("sign-in by email can be switched off", async () => {
    const closed = await startAuth(database, { email: { enable_signup: false, enable_confirmations: false } });
    const { error } = await closed.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(error).toMatchObject({ status: 422, code: "email_provider_disabled", message: "Email logins are disabled" });
  });

  test("a password that changes while it is verified does not sign in", async () => {
    // The limit, the credentials and the session each have their own transaction.
    const session = await api.signIn("racer@larkfell.example");
    const slowed = interrupted(database, 2, () =>
      api.sql("update auth.users set encrypted_password = 'changed' where id = $1", [session.user.id]),
    );
    const racing = await startAuth(slowed);
    const answer = await racing.send("POST", "/token?grant_type=password", {
      body: { email: "racer@larkfell.example", password: PASSWORD },
    });
    expect(answer.body).toMatchObject({ error_code: "invalid_credentials" });
  });

  test("sign-ins and failures are in the audit log, without the password", async () => {
    await api.signIn("audited@larkfell.example");
    await api.send("POST", "/token?grant_type=password", {
      body: { email: "audited@larkfell.example", password: "not the password" },
      from: "192.0.2.7",
    });
    await api.send("POST", "/token?grant_type=password", { body: { email: "a secret in the wrong field", password: "x" } });
    const rows = await api.sql(
      "select payload ->> 'action' as action, payload ->> 'actor_username' as who, ip_address from auth.audit_log_entries",
    );
    expect(rows).toContainEqual(expect.objectContaining({ action: "login", who: "audited@larkfell.example" }));
    expect(rows).toContainEqual({ action: "login_failed", who: "audited@larkfell.example", ip_address: "192.0.2.7" });
    const all = JSON.stringify(await api.sql("select payload from auth.audit_log_entries")) + api.logged.join("");
    for (const secret of [PASSWORD, "not the password", "a secret in the wrong field"]) expect(all).not.toContain(secret);
  });
});

function idOf(body: Record<string, unknown>): unknown {
  const { user } = body;
  return typeof user === "object" && user !== null && "id" in user ? user.id : undefined;
}

function jwks(body: Record<string, unknown>): jose.JWK[] {
  return Array.isArray(body.keys) ? body.keys : [];
}
