import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../db/database.ts";
import { describeDatabases } from "../../../../test/database.ts";
import { PUBLISHABLE_KEY, SITE_URL, startAuth, type TestAuth } from "../../fixture.ts";
import { CLIENT_ID, CLIENT_SECRET, openProvider, type TestProvider } from "./provider-fixture.ts";

describeDatabases("identities of an account", (open) => {
  let database: Database;
  let provider: TestProvider;
  let api: TestAuth;
  let people = 0;
  const target = `${SITE_URL}/welcome`;

  const withProvider = (settings: Parameters<typeof startAuth>[1] = {}): Promise<TestAuth> =>
    startAuth(database, {
      external: { keycloak: { enabled: true, url: provider.url, client_id: CLIENT_ID, secret: CLIENT_SECRET } },
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
  function person(): string {
    const subject = `pupil-${(people += 1)}`;
    provider.people.set(subject, { email: `${subject}@school.example`, email_verified: true, name: "Pupil" });
    return subject;
  }

  const browser = (): SupabaseClient =>
    createClient(SITE_URL, PUBLISHABLE_KEY, {
      auth: { flowType: "pkce", persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => api.fetch(new Request(input, init)) },
    });

  const get = async (url: URL | string): Promise<URL> => {
    const response = await api.fetch(new Request(url));
    return new URL(response.headers.get("location") ?? `about:${response.status}`);
  };

  test("supabase-js links an identity to the caller's account and unlinks it again", async () => {
    const client = browser();
    await client.auth.setSession(await api.signIn("linker@larkfell.example"));
    const subject = person();
    const options = { redirectTo: target, skipBrowserRedirect: true, queryParams: { login_hint: subject } };
    const begun = await client.auth.linkIdentity({ provider: "keycloak", options });
    expect(begun.error).toBeNull();
    const end = await get(await provider.walk("url" in begun.data ? (begun.data.url ?? "") : ""));
    const { data } = await client.auth.exchangeCodeForSession(end.searchParams.get("code") ?? "");
    expect(data.user).toMatchObject({ email: "linker@larkfell.example", app_metadata: { providers: ["email", "keycloak"] } });

    const { data: linked } = await client.auth.getUserIdentities();
    const identity = linked?.identities.find((candidate) => candidate.provider === "keycloak");
    if (!identity) throw new Error("not linked");
    expect((await client.auth.unlinkIdentity(identity)).error).toBeNull();
    const left = await client.auth.getUser();
    expect(left.data.user).toMatchObject({ email: "linker@larkfell.example", identities: [{ provider: "email" }] });
    expect(left.data.user?.app_metadata).toEqual({ provider: "email", providers: ["email"] });
  });

  test("after the email identity is unlinked, the account has the verified address of the other identity", async () => {
    const session = await api.signIn("two@larkfell.example");
    const token = session.access_token;
    const subject = person();
    const begun = await api.send("GET", `/user/identities/authorize?provider=keycloak&skip_http_redirect=true&login_hint=${subject}`, {
      token,
    });
    await get(await provider.walk(String(begun.body.url)));
    const own = session.user.identities?.[0]?.identity_id ?? "";
    expect((await api.send("DELETE", `/user/identities/${own}`, { token })).status).toBe(200);
    expect((await api.send("GET", "/user", { token })).body).toMatchObject({ email: `${subject}@school.example` });
  });

  test("unlinking is refused if the remaining address belongs to another account", async () => {
    const session = await api.signIn("conflicted@larkfell.example");
    const token = session.access_token;
    const subject = person();
    await api.signIn(`${subject}@school.example`);
    const begun = await api.send("GET", `/user/identities/authorize?provider=keycloak&skip_http_redirect=true&login_hint=${subject}`, {
      token,
    });
    await get(await provider.walk(String(begun.body.url)));
    const own = session.user.identities?.[0]?.identity_id ?? "";
    const { status, body } = await api.send("DELETE", `/user/identities/${own}`, { token });
    expect([status, body.error_code]).toEqual([422, "email_conflict_identity_not_deletable"]);
    expect((await api.send("GET", "/user", { token })).body).toMatchObject({ email: "conflicted@larkfell.example" });
  });

  test("an identity cannot be linked to a second account", async () => {
    const subject = person();
    const first = await api.send("GET", `/authorize?provider=keycloak&login_hint=${subject}`);
    await get(await provider.walk(first.headers.get("location") ?? ""));
    const { access_token: token } = await api.signIn("second@larkfell.example");
    const begun = await api.send("GET", `/user/identities/authorize?provider=keycloak&login_hint=${subject}`, { token });
    expect(begun.status).toBe(302);
    const end = await get(await provider.walk(begun.headers.get("location") ?? ""));
    expect(new URLSearchParams(end.hash.slice(1)).get("error_code")).toBe("identity_already_exists");
  });

  const NOWHERE = "11111111-1111-4111-8111-111111111111";
  test("invalid requests to link and unlink are refused as in the wire contract", async () => {
    const { access_token: token, user } = await api.signIn("single@larkfell.example");
    const off = await withProvider({ enable_manual_linking: false });
    const rows: [TestAuth, string, string, number, string, string][] = [
      [off, "DELETE", `/user/identities/${NOWHERE}`, 404, "manual_linking_disabled", "Manual linking is disabled"],
      [off, "GET", "/user/identities/authorize?provider=keycloak", 404, "manual_linking_disabled", "Manual linking is disabled"],
      [
        api,
        "GET",
        "/user/identities/authorize?provider=x",
        400,
        "validation_failed",
        "Unsupported provider: Provider x could not be found",
      ],
      [api, "DELETE", "/user/identities/x", 404, "validation_failed", "identity_id must be an UUID"],
      [
        api,
        "DELETE",
        `/user/identities/${user.identities?.[0]?.identity_id ?? ""}`,
        422,
        "single_identity_not_deletable",
        "User must have at least 1 identity after unlinking",
      ],
    ];
    for (const [at, method, path, status, code, msg] of rows)
      expect((await at.send(method, path, { token })).body).toEqual({ code: status, error_code: code, msg });
    await api.sql("insert into auth.identities (provider_id, user_id, provider, identity_data) values ('second', $1, 'keycloak', '{}')", [
      user.id,
    ]);
    const unknown = await api.send("DELETE", `/user/identities/${NOWHERE}`, { token });
    expect([unknown.status, unknown.body.error_code]).toEqual([422, "identity_not_found"]);
  });
});
