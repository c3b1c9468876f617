import { SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, PUBLISHABLE_KEY, SECRET_KEY, SHARED_SECRET, USER_ID, type RestFixture } from "./fixture.ts";

describeDatabases("callers", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  const hour = (): number => Math.floor(Date.now() / 1000) + 3600;
  const refused = async (headers: Record<string, string>): Promise<unknown> => {
    const response = await rest.raw("/rooms?limit=1", { headers });
    const body: unknown = await response.json();
    return { status: response.status, challenge: response.headers.get("www-authenticate"), body };
  };

  test("without a key, or with an unknown one, are unauthorised", async () => {
    expect(await refused({ "x-no-key": "1" })).toMatchObject({
      status: 401,
      challenge: "Bearer",
      body: { code: "PGRST302", details: null, hint: null },
    });
    expect(await refused({ apikey: "sb_publishable_someone_else" })).toMatchObject({ status: 401, body: { code: "PGRST301" } });
  });

  test.each(["postgres", "supabase_auth_admin", "none"])("with a token that names the role %s are refused", async (role) => {
    const token = await rest.jwt.sign({ sub: USER_ID, role, exp: hour() });
    expect(await refused({ Authorization: `Bearer ${token}` })).toMatchObject({ status: 403, body: { code: "42501" } });
  });

  test("with an unreadable or expired token are unauthorised", async () => {
    expect(await refused({ Authorization: "Bearer not.a.token" })).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(/^Bearer error="invalid_token"/),
      body: { code: "PGRST301" },
    });
    const expired = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: hour() - 7200 });
    expect(await refused({ Authorization: `Bearer ${expired}` })).toMatchObject({
      status: 401,
      challenge: 'Bearer error="invalid_token", error_description="JWT expired"',
      body: { code: "PGRST303", message: "JWT expired" },
    });
    const day = 86_400;
    const early = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: hour() + 2 * day, iat: hour() + day });
    expect(await refused({ Authorization: `Bearer ${early}` })).toMatchObject({ status: 401, body: { code: "PGRST303" } });
  });

  test("have the role of their key or token", async () => {
    const role = async (headers: Record<string, string>): Promise<unknown> => (await (await rest.raw("/rpc/who", { headers })).json()).role;
    expect(await role({ apikey: PUBLISHABLE_KEY })).toBe("anon");
    const inQuery = await rest.raw(`/rpc/who?apikey=${SECRET_KEY}`, { headers: { "x-no-key": "1" } });
    expect(await inQuery.json()).toMatchObject({ role: "service_role" });
    expect(await role({ apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${PUBLISHABLE_KEY}` })).toBe("anon");
    expect(await role({ apikey: SECRET_KEY, Authorization: `Bearer ${SECRET_KEY}` })).toBe("service_role");
    const token = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: hour() });
    expect(await role({ apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${token}` })).toBe("authenticated");
  });

  test("may use the keys of older projects: tokens signed with the shared secret", async () => {
    const legacy = (role: string): Promise<string> =>
      new SignJWT({ role }).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(SHARED_SECRET));
    const role = async (key: string): Promise<unknown> =>
      (await (await rest.raw("/rpc/who", { headers: { apikey: key, Authorization: `Bearer ${key}` } })).json()).role;
    expect(await role(await legacy("anon"))).toBe("anon");
    expect(await role(await legacy("service_role"))).toBe("service_role");
  });

  test("with a role that does not exist are refused", async () => {
    const token = await rest.jwt.sign({ sub: USER_ID, role: "emperor", exp: hour() });
    expect(await refused({ Authorization: `Bearer ${token}` })).toMatchObject({ status: 401, body: { code: "22023" } });
  });

  test("may have a clock that differs by half a minute", async () => {
    const now = Math.floor(Date.now() / 1000);
    const sent = async (claims: object): Promise<number> => {
      const token = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", ...claims });
      return (await rest.raw("/rooms?limit=1", { headers: { Authorization: `Bearer ${token}` } })).status;
    };
    expect(await sent({ exp: now - 15 })).toBe(200);
    expect(await sent({ exp: now + 60, nbf: now + 15 })).toBe(200);
    expect(await sent({ exp: now - 45 })).toBe(401);
    expect(await sent({ exp: now + 60, nbf: now + 45 })).toBe(401);
  });

  test("are anonymous with a token that names no role, also in their claims", async () => {
    const sql = "create function claimed_role() returns text language sql stable as $$ select auth.role() $$";
    await rest.database.transaction((tx) => tx.script(sql));
    await rest.reload();
    const headers = { Authorization: `Bearer ${await rest.jwt.sign({ sub: USER_ID, exp: hour() })}` };
    expect(await (await rest.raw("/rpc/who", { headers })).json()).toMatchObject({ role: "anon", uid: USER_ID });
    expect(await (await rest.raw("/rpc/claimed_role", { headers })).json()).toBe("anon");
  });

  test("with an empty bearer token are unauthorised", async () => {
    expect(await refused({ Authorization: "Bearer " })).toMatchObject({ status: 401, body: { code: "PGRST301" } });
  });
});
