import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../db/database.ts";
import { describeDatabases } from "../../../../test/database.ts";
import { PUBLISHABLE_KEY, SITE_URL, startAuth, type TestAuth } from "../../fixture.ts";
import { CLIENT_ID, CLIENT_SECRET, openProvider, UNWILLING, type TestProvider } from "./provider-fixture.ts";

describeDatabases("sign-in at an OpenID Connect provider", (open) => {
  let database: Database;
  let provider: TestProvider;
  let api: TestAuth;
  let people = 0;
  const target = `${SITE_URL}/welcome`;

  const withProvider = (settings: Parameters<typeof startAuth>[1] = {}): Promise<TestAuth> =>
    startAuth(database, {
      external: { keycloak: { enabled: true, url: provider.url, client_id: CLIENT_ID, secret: CLIENT_SECRET }, apple: { enabled: false } },
      enable_manual_linking: true,
      ...settings,
    });

  beforeAll(async () => {
    database = await open();
    provider = await openProvider(`${SITE_URL}/auth/v1/callback`);
    api = await withProvider();
  });
  afterAll(() => provider.close());

  /** Creates an account at the provider; returns its subject. */
  function person(claims: Record<string, unknown> = {}): string {
    const subject = `pupil-${(people += 1)}`;
    provider.people.set(subject, { email: `${subject}@school.example`, email_verified: true, name: "Pupil", ...claims });
    return subject;
  }

  const browser = (flowType: "implicit" | "pkce", at = api): SupabaseClient =>
    createClient(SITE_URL, PUBLISHABLE_KEY, {
      auth: { flowType, persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => at.fetch(new Request(input, init)) },
    });

  const get = async (url: URL | string, at = api): Promise<URL> => {
    const response = await at.fetch(new Request(url));
    return new URL(response.headers.get("location") ?? `about:${response.status}`);
  };

  /** Returns the provider's URL that our authorize endpoint redirects supabase-js to. */
  async function begin(client: SupabaseClient, login_hint: string, at = api, redirectTo = target): Promise<URL> {
    const { data } = await client.auth.signInWithOAuth({
      provider: "keycloak",
      options: { redirectTo, skipBrowserRedirect: true, queryParams: { login_hint } },
    });
    return get(data.url ?? "", at);
  }

  /** Completes the flow in a browser; returns the final URL. */
  async function pass(client: SupabaseClient, subject: string, at = api): Promise<URL> {
    return get(await provider.walk((await begin(client, subject, at)).href), at);
  }

  test("the PKCE flow returns a code that is exchanged once for a session and the provider's token", async () => {
    const subject = person();
    const client = browser("pkce");
    const end = await pass(client, subject);
    expect(end.origin + end.pathname).toBe(target);
    const code = end.searchParams.get("code") ?? "";
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.session?.provider_token).toEqual(expect.any(String));
    expect(data.user).toMatchObject({
      email: `${subject}@school.example`,
      app_metadata: { provider: "keycloak", providers: ["keycloak"] },
      user_metadata: { name: "Pupil" },
      identities: [{ provider: "keycloak", id: subject }],
    });
    expect((await client.auth.getClaims()).data?.claims.amr).toEqual([{ method: "oauth", timestamp: expect.any(Number) }]);
    const again = await api.send("POST", "/token?grant_type=pkce", { body: { auth_code: code, code_verifier: "v".repeat(43) } });
    expect(again.body.error_code).toBe("flow_state_not_found");
  });

  test("the implicit flow returns the session in the fragment and deletes the flow", async () => {
    const end = await pass(browser("implicit"), person());
    const fragment = new URLSearchParams(end.hash.slice(1));
    expect([...fragment.keys()].toSorted()).toEqual(
      ["access_token", "expires_at", "expires_in", "provider_token", "refresh_token", "sb", "token_type"].toSorted(),
    );
    expect((await api.send("GET", "/user", { token: fragment.get("access_token") ?? "" })).status).toBe(200);
    expect(await api.sql("select from auth.flow_state where code_challenge is null")).toEqual([]);
  });

  test("the request to the provider has state, nonce and a challenge, and a caller cannot replace them", async () => {
    const { pathname, searchParams } = await get(
      `${SITE_URL}/auth/v1/authorize?provider=keycloak&scopes=calendar&prompt=login&state=mine&response_type=token&nonce=n&redirect_uri=https://evil.example`,
    );
    expect(pathname).toBe("/auth");
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: CLIENT_ID,
      response_type: "code",
      redirect_uri: `${SITE_URL}/auth/v1/callback`,
      scope: "openid email profile calendar",
      prompt: "login",
      state: expect.stringMatching(/^[0-9a-f-]{36}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  test("a target that is not allowed is replaced by the site", async () => {
    const client = browser("implicit");
    const start = await begin(client, person(), api, "https://evil.example/");
    const end = await get(await provider.walk(start.href));
    expect(end.origin).toBe(new URL(SITE_URL).origin);
  });

  test("a cancelled sign-in redirects to the target with the error", async () => {
    const implicit = await pass(browser("implicit"), UNWILLING);
    const failure = { error: "access_denied", error_code: "bad_oauth_callback", error_description: "Not today" };
    expect(Object.fromEntries(new URLSearchParams(implicit.hash.slice(1)))).toEqual({ ...failure, sb: "" });
    const pkce = await pass(browser("pkce"), UNWILLING);
    expect(Object.fromEntries(pkce.searchParams)).toEqual(failure);
  });

  test("a response is accepted once, within five minutes, and only for a known flow", async () => {
    const back = await provider.walk((await begin(browser("implicit"), person())).href);
    expect((await get(back)).hash).toContain("access_token=");
    const badState = (url: URL): unknown => new URLSearchParams(url.hash.slice(1)).get("error_code");
    expect(badState(await get(back))).toBe("bad_oauth_state");
    for (const state of ["", "x", "11111111-1111-4111-8111-111111111111"])
      expect(badState(await get(`${SITE_URL}/auth/v1/callback?code=c&state=${state}`))).toBe("bad_oauth_state");
    const late = await provider.walk((await begin(browser("implicit"), person())).href);
    await api.sql("update auth.oauth_client_states set created_at = now() - interval '301 seconds'");
    expect(badState(await get(late))).toBe("bad_oauth_state");
  });

  test("an unknown code, or the code of another flow, opens no session", async () => {
    const mine = await provider.walk((await begin(browser("implicit"), person())).href);
    const other = await provider.walk((await begin(browser("implicit"), person())).href);
    mine.searchParams.set("code", other.searchParams.get("code") ?? "");
    expect(Object.fromEntries(new URLSearchParams((await get(mine)).hash.slice(1)))).toEqual({
      error: "server_error",
      error_code: "unexpected_failure",
      error_description: "Unable to exchange external code",
      sb: "",
    });
  });

  test("a provider that stops during a sign-in is reported to the target", async () => {
    const stopping = await openProvider(`${SITE_URL}/auth/v1/callback`);
    const { url } = stopping;
    const keycloak = { enabled: true, url, client_id: CLIENT_ID, secret: CLIENT_SECRET };
    const [connected, unconnected] = [await withProvider({ external: { keycloak } }), await withProvider({ external: { keycloak } })];
    const back = async (): Promise<URL> => stopping.walk((await begin(browser("implicit", connected), person(), connected)).href);
    const answers = [await back(), await back()];
    await stopping.close();
    for (const [index, at] of [connected, unconnected].entries()) {
      const end = await get(answers[index] ?? "", at);
      expect(end.origin + end.pathname).toBe(target);
      expect(new URLSearchParams(end.hash.slice(1)).get("error")).toBe("server_error");
      expect(at.logged.join("")).toContain('"provider":"keycloak"');
    }
  });

  test("new accounts need sign-up to be on", async () => {
    const closed = await withProvider({ enable_signup: false });
    const end = await pass(browser("implicit", closed), person(), closed);
    expect(new URLSearchParams(end.hash.slice(1)).get("error_code")).toBe("signup_disabled");
  });

  test("a verified address signs in to the account with that address", async () => {
    const session = await api.signIn("teacher@school.example");
    const client = browser("pkce");
    const end = await pass(client, person({ email: "Teacher@school.example" }));
    const { data } = await client.auth.exchangeCodeForSession(end.searchParams.get("code") ?? "");
    expect(data.user?.id).toBe(session.user.id);
  });

  test("a response by form post is accepted like one in the query", async () => {
    const back = await provider.walk((await begin(browser("implicit"), person())).href);
    const request = new Request(`${SITE_URL}/auth/v1/callback`, { method: "POST", body: back.searchParams });
    const end = (await api.fetch(request)).headers.get("location") ?? "";
    expect(end).toContain("access_token=");
  });

  test.each([
    ["unknown", "Unsupported provider: Provider unknown could not be found"],
    ["google", "Unsupported provider: provider is not enabled"],
    ["apple", "Unsupported provider: provider is not enabled"],
    ["", "Unsupported provider: Provider  could not be found"],
  ])("the provider %j is refused", async (name, msg) => {
    const { status, body } = await api.send("GET", `/authorize?provider=${name}`);
    expect([status, body]).toEqual([400, { code: 400, error_code: "validation_failed", msg }]);
  });

  test("an incomplete PKCE challenge is refused", async () => {
    const { body } = await api.send("GET", "/authorize?provider=keycloak&code_challenge_method=s256");
    expect(body.msg).toBe("PKCE flow requires code_challenge_method and code_challenge");
  });

  test("settings list the enabled providers", async () => {
    const { body } = await api.send("GET", "/settings");
    expect(body.external).toMatchObject({ keycloak: true, apple: false, google: false });
  });

  test("a provider without OpenID Connect is off, and the log names it", async () => {
    const odd = await withProvider({ external: { github: { enabled: true, client_id: "us", secret: "x" } } });
    expect((await odd.send("GET", "/settings")).body.external).toMatchObject({ github: false });
    expect((await odd.send("GET", "/authorize?provider=github")).body.error_code).toBe("validation_failed");
    expect(odd.logged.join("")).toContain('"keys":["auth.external.github"]');
  });
});
