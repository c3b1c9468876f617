import * as jose from "jose";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { describeDatabases } from "../../test/database.ts";
import { JWT_SECRET, PASSWORD, PUBLISHABLE_KEY, SECRET_KEY, startAuth, type TestAuth } from "./fixture.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

describeDatabases("the guards", (open) => {
  let database: Database;
  let api: TestAuth;
  let token: string;
  let claims: jose.JWTPayload;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
    token = (await api.signIn("staff@larkfell.example")).access_token;
    claims = jose.decodeJwt(token);
  });

  const withSecret = (payload: jose.JWTPayload, secret: string): Promise<string> =>
    new jose.SignJWT(payload).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(secret));
  const without = (payload: jose.JWTPayload, ...names: string[]): jose.JWTPayload =>
    Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
  const unsigned = (payload: jose.JWTPayload): string => new jose.UnsecuredJWT(payload).encode();

  // Each row: what the attacker sends, and the answer, in the order the checks are made.
  const attacks: [attack: string, status: number, code: string, message: string | RegExp, make: () => string | Promise<string>][] = [
    ["text that is not a token", 403, "bad_jwt", /^invalid JWT: unable to parse or verify signature, /, () => "abc"],
    ["an unsigned token", 403, "bad_jwt", /^invalid JWT: /, () => unsigned(claims)],
    [
      "a token signed with the public key as secret",
      403,
      "bad_jwt",
      /^invalid JWT: /,
      () => withSecret(claims, JSON.stringify(api.jwt.publicKeys().keys[0])),
    ],
    [
      "a token signed with a guessed secret",
      403,
      "bad_jwt",
      /^invalid JWT: /,
      () => withSecret(claims, "super-secret-jwt-token-with-at-least-32-characters-long"),
    ],
    [
      "a token with one letter changed",
      403,
      "bad_jwt",
      /^invalid JWT: /,
      () => token.replace(/.(?=.{20}$)/, (letter) => (letter === "A" ? "B" : "A")),
    ],
    ["an expired token", 403, "bad_jwt", /^invalid JWT: .*expired/, () => api.jwt.sign({ ...claims, exp: 1 })],
    [
      "a token from the future",
      403,
      "bad_jwt",
      /^invalid JWT: .*future/,
      () => api.jwt.sign({ ...claims, iat: 4_000_000_000, exp: 4_000_003_600 }),
    ],
    ["a token without sub", 403, "bad_jwt", "invalid claim: missing sub claim", () => api.jwt.sign(without(claims, "sub"))],
    [
      "a legacy anon key",
      403,
      "bad_jwt",
      "invalid claim: missing sub claim",
      () => withSecret({ role: "anon", iss: "supabase" }, JWT_SECRET),
    ],
    ["the publishable key", 403, "bad_jwt", "invalid claim: missing sub claim", () => PUBLISHABLE_KEY],
    ["the secret key", 403, "bad_jwt", "invalid claim: missing sub claim", () => SECRET_KEY],
    [
      "a sub that is no UUID",
      400,
      "bad_jwt",
      "invalid claim: sub claim must be a UUID",
      () => api.jwt.sign({ ...claims, sub: "1 or 1=1" }),
    ],
    [
      "a session that is no UUID",
      403,
      "bad_jwt",
      "invalid claim: session_id claim must be a UUID",
      () => api.jwt.sign({ ...claims, session_id: "1" }),
    ],
    [
      "a token of another issuer",
      403,
      "bad_jwt",
      /^invalid JWT: .*issuer/,
      () => api.jwt.sign({ ...claims, iss: "http://elsewhere.example/auth/v1" }),
    ],
    ["a token without issuer", 403, "bad_jwt", /^invalid JWT: .*issuer/, () => api.jwt.sign(without(claims, "iss"))],
    [
      "a token for another audience",
      400,
      "validation_failed",
      "Token audience doesn't match request audience",
      () => api.jwt.sign({ ...claims, aud: "others" }),
    ],
    [
      "a token without audience",
      400,
      "validation_failed",
      "Token audience doesn't match request audience",
      () => api.jwt.sign(without(claims, "aud")),
    ],
    [
      "a token of an account that is gone",
      403,
      "user_not_found",
      "User from sub claim in JWT does not exist",
      () => api.jwt.sign({ ...claims, sub: NOBODY }),
    ],
    [
      "a token of a session that is gone",
      403,
      "session_not_found",
      "Session from session_id claim in JWT does not exist",
      () => api.jwt.sign({ ...claims, session_id: NOBODY }),
    ],
    ["an unknown key", 401, "no_authorization", "Invalid API key", () => "sb_secret_guess"],
  ];
  test.each(attacks)("%s gives no access", async (_attack, status, code, message, make) => {
    for (const [method, path] of [
      ["GET", "/user"],
      ["PUT", "/user"],
      ["POST", "/logout"],
    ] as const) {
      const answer = await api.send(method, path, { token: await make(), ...(method === "PUT" && { body: { data: { owned: true } } }) });
      expect(answer.body).toEqual({ code: status, error_code: code, msg: expect.stringMatching(message) });
      expect(answer.status).toBe(status);
    }
    expect(await api.sql("select from auth.users where raw_user_meta_data ? 'owned'")).toEqual([]);
  });

  test("refuses a token whose session has reached its end", async () => {
    const ended = await api.signIn("ended@larkfell.example");
    await api.sql("update auth.sessions set not_after = now() where user_id = $1", [ended.user.id]);
    const { status, body } = await api.send("GET", "/user", { token: ended.access_token });
    expect([status, body.error_code]).toEqual([403, "session_not_found"]);
  });

  test("refuses a token with the session of another account", async () => {
    const other = await api.signIn("other@larkfell.example");
    const mixed = await api.jwt.sign({ ...claims, session_id: jose.decodeJwt(other.access_token).session_id });
    expect((await api.send("GET", "/user", { token: mixed })).body.error_code).toBe("session_not_found");
  });

  test.each([[{}], [{ authorization: "Basic YTpi" }], [{ authorization: "Bearer" }]])(
    "a request without a bearer token (%o) is refused",
    async (headers) => {
      for (const path of ["/user", "/admin/users"]) {
        const { status, body } = await api.send("GET", path, { headers: { apikey: "", ...headers } });
        expect([status, body.error_code]).toEqual([401, "no_authorization"]);
      }
      expect((await api.send("GET", "/user", { headers })).body.msg).toBe("This endpoint requires a valid Bearer token");
    },
  );

  test("accepts a token signed with the shared secret if issuer and audience match", async () => {
    const made = await withSecret(without(claims, "session_id"), JWT_SECRET);
    expect((await api.send("GET", "/user", { token: made })).body.email).toBe("staff@larkfell.example");
  });

  test("refuses a request for another audience", async () => {
    const { status, body } = await api.send("GET", "/user", { token, headers: { "x-jwt-aud": "others" } });
    expect([status, body.error_code]).toEqual([400, "validation_failed"]);
  });

  test("refuses a valid token of a banned account", async () => {
    const session = await api.signIn("banned@larkfell.example");
    await api.client(SECRET_KEY).auth.admin.updateUserById(session.user.id, { ban_duration: "24h" });
    const { status, body } = await api.send("GET", "/user", { token: session.access_token });
    expect(body).toEqual({ code: 403, error_code: "user_banned", msg: "User is banned" });
    expect(status).toBe(403);
  });

  const strangers: [who: string, status: number, code: string, make: () => string | Promise<string>][] = [
    ["the publishable key", 403, "not_admin", () => PUBLISHABLE_KEY],
    ["a signed-in account", 403, "not_admin", () => token],
    ["a legacy anon key", 403, "not_admin", () => withSecret({ role: "anon" }, JWT_SECRET)],
    ["an unsigned service role", 403, "bad_jwt", () => unsigned({ role: "service_role" })],
    ["a guessed secret key", 401, "no_authorization", () => `${SECRET_KEY}x`],
    ["an admin token whose session has ended", 403, "session_expired", () => api.jwt.sign({ role: "service_role", session_id: NOBODY })],
    ["an admin token whose session is no UUID", 403, "bad_jwt", () => api.jwt.sign({ role: "service_role", session_id: "1" })],
  ];
  test.each(strangers)("%s reaches no admin endpoint", async (_who, status, code, make) => {
    for (const [method, path] of ADMIN_CALLS) {
      const answer = await api.send(method, path, { token: await make(), ...(method !== "GET" && { body: {} }) });
      expect([answer.status, answer.body.error_code]).toEqual([status, code]);
    }
  });

  const admins: [who: string, make: () => string | Promise<string>][] = [
    ["the secret key", () => SECRET_KEY],
    ["a legacy service-role key", () => withSecret({ role: "service_role", iss: "supabase" }, JWT_SECRET)],
    ["a service-role token of ours", () => api.jwt.sign({ role: "service_role" })],
  ];
  test.each(admins)("%s is accepted as administrator", async (_who, make) => {
    expect((await api.send("GET", "/admin/users", { token: await make() })).status).toBe(200);
  });

  test("accepts the secret key alone, as apikey, for administrators", async () => {
    expect((await api.send("GET", "/admin/users", { headers: { apikey: SECRET_KEY } })).status).toBe(200);
  });

  test("a user's password grants no administrator rights", async () => {
    const client = api.client();
    await client.auth.signInWithPassword({ email: "staff@larkfell.example", password: PASSWORD });
    const { error } = await client.auth.updateUser({ data: { role: "service_role" } });
    expect(error).toBeNull();
    expect((await client.auth.getClaims()).data?.claims.role).toBe("authenticated");
  });
});

const ADMIN_CALLS = [
  ["GET", "/admin/users"],
  ["POST", "/admin/users"],
  ["GET", `/admin/users/${NOBODY}`],
  ["PUT", `/admin/users/${NOBODY}`],
  ["DELETE", `/admin/users/${NOBODY}`],
  ["POST", `/admin/users/${NOBODY}/logout`],
  ["GET", `/admin/users/${NOBODY}/factors`],
  ["DELETE", `/admin/users/${NOBODY}/factors/${NOBODY}`],
  ["POST", "/admin/generate_link"],
  ["POST", "/invite"],
  ["GET", "/admin/sso/providers"],
  ["POST", "/admin/sso/providers"],
  ["GET", `/admin/sso/providers/${NOBODY}`],
  ["PUT", `/admin/sso/providers/${NOBODY}`],
  ["DELETE", `/admin/sso/providers/${NOBODY}`],
] as const;
