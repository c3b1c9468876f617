import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, test } from "vitest";
import type { Database, Row } from "../../../db/database.ts";
import { describeDatabases } from "../../../../test/database.ts";
import { PUBLISHABLE_KEY, SECRET_KEY, SITE_URL, startAuth, type Answer, type TestAuth } from "../../fixture.ts";
import { fragmentOf } from "../../mail/outbox-fixture.ts";
import { createIdp, type AnswerChanges, type TestIdp } from "./idp-fixture.ts";

const ACS = `${SITE_URL}/auth/v1/sso/saml/acs`;
const NOWHERE = "11111111-1111-4111-8111-111111111111";

describeDatabases("single sign-on by SAML", (open) => {
  let database: Database;
  let api: TestAuth;
  let idp: TestIdp;
  let providerId: string;
  let people = 0;
  const target = `${SITE_URL}/portal`;

  const asAdmin = (method: string, path: string, body?: unknown): Promise<Answer> =>
    api.send(method, `/admin/sso/providers${path}`, { headers: { apikey: SECRET_KEY }, ...(body !== undefined && { body }) });

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { sso: { enabled: true } });
    idp = createIdp("https://idp.school.example");
    const attribute_mapping = {
      keys: { department: { names: ["unknown", "dept"] }, groups: { name: "groups", array: true }, kind: { default: "staff" } },
    };
    const { status, body } = await asAdmin("POST", "", {
      type: "saml",
      metadata_xml: idp.metadata,
      domains: ["School.example"],
      attribute_mapping,
    });
    if (status !== 201) throw new Error(`The identity provider was not taken: ${String(body.msg)}`);
    providerId = String(body.id);
  });

  const browser = (flowType: "implicit" | "pkce"): SupabaseClient =>
    createClient(SITE_URL, PUBLISHABLE_KEY, {
      auth: { flowType, persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => api.fetch(new Request(input, init)) },
    });

  async function begin(
    client = browser("implicit"),
    at: { domain: string } | { providerId: string } = { domain: "school.example" },
  ): Promise<string> {
    const { data, error } = await client.auth.signInWithSSO({ ...at, options: { redirectTo: target, skipBrowserRedirect: true } });
    if (error) throw error;
    return data.url;
  }

  async function post(form: URLSearchParams): Promise<URL> {
    const response = await api.fetch(new Request(ACS, { method: "POST", body: form }));
    return new URL(response.headers.get("location") ?? `about:${response.status}`);
  }

  const freshPerson = (): AnswerChanges => ({ nameId: `person-${(people += 1)}`, email: `Person${people}@School.example` });

  test("a signed assertion opens a session of an account that belongs to the identity provider", async () => {
    const person = freshPerson();
    const attributes = { dept: ["Maths"], groups: ["a", "b"] };
    const end = await post(idp.answer(await begin(), { ...person, attributes }));
    expect(end.origin + end.pathname).toBe(target);
    const { access_token: token = "" } = fragmentOf(end);
    const { body } = await api.send("GET", "/user", { token });
    expect(body).toMatchObject({
      email: `person${people}@school.example`,
      app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
      user_metadata: { custom_claims: { department: "Maths", groups: ["a", "b"], kind: "staff" } },
      identities: [{ provider: `sso:${providerId}`, id: person.nameId, identity_data: { iss: idp.entityId, email_verified: true } }],
    });
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(claims).toMatchObject({ aal: "aal1", amr: [{ method: "sso/saml", provider: providerId }] });
    expect(await api.sql("select is_sso_user from auth.users where id = $1", [String(body.id)])).toEqual([{ is_sso_user: true }]);
  });

  test("the PKCE flow returns a code that is exchanged for a session", async () => {
    const client = browser("pkce");
    const end = await post(idp.answer(await begin(client, { providerId }), freshPerson()));
    const { data, error } = await client.auth.exchangeCodeForSession(end.searchParams.get("code") ?? "");
    expect(error).toBeNull();
    expect(data.user?.email).toBe(`person${people}@school.example`);
  });

  test("the same person gets the same account with the current address", async () => {
    const person = freshPerson();
    await post(idp.answer(await begin(), person));
    await post(idp.answer(await begin(), { ...person, email: "new.name@school.example" }));
    expect(
      await api.sql("select u.email from auth.users u join auth.identities i on i.user_id = u.id where i.provider_id = $1", [
        person.nameId ?? "",
      ]),
    ).toEqual([{ email: "new.name@school.example" }]);
  });

  test("a single sign-on account is never linked to an account with the same address", async () => {
    const session = await api.signIn("teacher@school.example");
    const end = await post(idp.answer(await begin(), { ...freshPerson(), email: "teacher@school.example" }));
    const { body } = await api.send("GET", "/user", { token: fragmentOf(end).access_token ?? "" });
    expect(body.email).toBe("teacher@school.example");
    expect(body.id).not.toBe(session.user.id);
  });

  test("a session ends at the time that the identity provider sets, in both flows", async () => {
    const endsInAnHour = (userId: unknown): Promise<Row[]> =>
      api.sql(
        "select not_after between now() + interval '50 minutes' and now() + interval '70 minutes' as ends from auth.sessions where user_id = $1",
        [String(userId)],
      );
    const end = await post(idp.answer(await begin(), { ...freshPerson(), sessionEnds: 3600 }));
    const { body } = await api.send("GET", "/user", { token: fragmentOf(end).access_token ?? "" });
    expect(await endsInAnHour(body.id)).toEqual([{ ends: true }]);

    const client = browser("pkce");
    const withCode = await post(idp.answer(await begin(client, { providerId }), { ...freshPerson(), sessionEnds: 3600 }));
    const { data } = await client.auth.exchangeCodeForSession(withCode.searchParams.get("code") ?? "");
    expect(await endsInAnHour(data.user?.id)).toEqual([{ ends: true }]);
  });

  test("a signature of the whole response is accepted", async () => {
    const end = await post(idp.answer(await begin(), { ...freshPerson(), signed: "Response" }));
    expect(fragmentOf(end).access_token).toEqual(expect.any(String));
  });

  const impostor = createIdp("https://idp.school.example");
  const refused: [what: string, make: (signOnUrl: string) => URLSearchParams, code: string][] = [
    ["an unsigned response", (url) => idp.answer(url, { signed: "nothing" }), "validation_failed"],
    ["a response signed with another key", (url) => impostor.answer(url), "validation_failed"],
    [
      "a response changed after signing",
      (url) => idp.answer(url, { tamper: (xml) => xml.replace("person@school", "boss@school") }),
      "validation_failed",
    ],
    [
      "a second, unsigned assertion next to the signed one",
      (url) =>
        idp.answer(url, {
          tamper: (xml) => xml.replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, (one) => one.replace("assertion-", "evil-") + one),
        }),
      "validation_failed",
    ],
    ["an expired assertion", (url) => idp.answer(url, { ends: -60 }), "validation_failed"],
    ["an assertion for another audience", (url) => idp.answer(url, { audience: "https://other.example/metadata" }), "validation_failed"],
    ["an assertion for another recipient", (url) => idp.answer(url, { recipient: "https://other.example/acs" }), "validation_failed"],
    ["a response to another request", (url) => idp.answer(url, { inResponseTo: "id-of-another" }), "validation_failed"],
    ["another issuer", (url) => idp.answer(url, { issuer: "https://other.example" }), "saml_idp_not_found"],
    ["an assertion without an address", (url) => idp.answer(url, { email: null }), "saml_assertion_no_email"],
    [
      "a response with a document type",
      (url) => idp.answer(url, { tamper: (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}` }),
      "validation_failed",
    ],
    ["no response", (url) => new URLSearchParams({ RelayState: new URL(url).searchParams.get("RelayState") ?? "" }), "validation_failed"],
    ["text that is not XML", (url) => idp.answer(url, { tamper: () => "not XML" }), "validation_failed"],
  ];
  test.each(refused)("%s is refused and ends the flow", async (_what, make, code) => {
    const before = await api.sql("select from auth.sessions");
    const url = await begin();
    const end = await post(make(url));
    expect(end.origin + end.pathname).toBe(target);
    expect(fragmentOf(end)).toMatchObject({ error_code: code });
    expect(await api.sql("select from auth.sessions")).toHaveLength(before.length);
    expect(fragmentOf(await post(idp.answer(url))).error_code).toBe("saml_relay_state_not_found");
  });

  test("a response is accepted once", async () => {
    const form = idp.answer(await begin(), freshPerson());
    expect(fragmentOf(await post(form)).access_token).toEqual(expect.any(String));
    expect(fragmentOf(await post(form))).toMatchObject({ error_code: "saml_relay_state_not_found" });
    const replayed = new URLSearchParams(form);
    replayed.set("RelayState", new URL(await begin()).searchParams.get("RelayState") ?? "");
    expect(fragmentOf(await post(replayed))).toMatchObject({ error_code: "validation_failed" });
  });

  test("a response after five minutes, or without a request, is refused", async () => {
    const late = idp.answer(await begin(), freshPerson());
    await api.sql("update auth.oauth_client_states set created_at = now() - interval '301 seconds'");
    expect(fragmentOf(await post(late)).error_code).toBe("saml_relay_state_expired");
    for (const RelayState of ["", "x", NOWHERE])
      expect(fragmentOf(await post(new URLSearchParams({ RelayState, SAMLResponse: "x" }))).error_code).toBe("saml_relay_state_not_found");
  });

  test("new accounts need sign-up to be on", async () => {
    const closed = await startAuth(database, { sso: { enabled: true }, enable_signup: false });
    const form = idp.answer(await begin(), freshPerson());
    const response = await closed.fetch(new Request(ACS, { method: "POST", body: form }));
    expect(response.headers.get("location")).toContain("error_code=signup_disabled");
  });

  test("a request can redirect the browser at once, only to an allowed target", async () => {
    const { status, headers } = await api.send("POST", "/sso", { body: { domain: "SCHOOL.example", redirect_to: "https://evil.example" } });
    expect(status).toBe(303);
    const location = new URL(headers.get("location") ?? "");
    expect(location.origin + location.pathname).toBe("https://idp.school.example/sso");
    const end = await post(idp.answer(location.href, freshPerson()));
    expect(end.origin).toBe(SITE_URL);
  });

  const rows: [what: string, body: Record<string, unknown>, status: number, code: string, msg: string][] = [
    ["neither a provider nor a domain", {}, 400, "validation_failed", "A provider_id or domain needs to be provided"],
    [
      "a provider and a domain",
      { provider_id: NOWHERE, domain: "a.example" },
      400,
      "validation_failed",
      "Only one of provider_id or domain supported",
    ],
    [
      "an incomplete PKCE challenge",
      { domain: "school.example", code_challenge: "c".repeat(43) },
      400,
      "validation_failed",
      "PKCE flow requires code_challenge_method and code_challenge",
    ],
    ["an unknown provider", { provider_id: NOWHERE }, 404, "sso_provider_not_found", "No such SSO provider"],
    ["an unknown domain", { domain: "a.example" }, 404, "sso_provider_not_found", "No SSO provider assigned for this domain"],
  ];
  test.each(rows)("a request with %s is refused as in the wire contract", async (_what, body, status, code, msg) => {
    expect((await api.send("POST", "/sso", { body })).body).toEqual({ code: status, error_code: code, msg });
  });

  test("without [auth.sso] SAML is disabled", async () => {
    const off = await startAuth(database);
    for (const [method, path] of [
      ["POST", "/sso"],
      ["GET", "/sso/saml/metadata"],
      ["POST", "/sso/saml/acs"],
    ] as const) {
      const { body } = await off.send(method, path, method === "POST" ? { body: {} } : {});
      expect(body).toEqual({ code: 404, error_code: "saml_provider_disabled", msg: "SAML 2.0 is disabled" });
    }
    expect((await api.send("GET", "/settings")).body.saml_enabled).toBe(true);
  });

  test("the metadata contains our entity id and the URL for responses", async () => {
    const response = await api.fetch(new Request(`${SITE_URL}/auth/v1/sso/saml/metadata`));
    expect(response.headers.get("content-type")).toBe("application/samlmetadata+xml");
    const xml = await response.text();
    expect(xml).toContain(`entityID="${SITE_URL}/auth/v1/sso/saml/metadata"`);
    expect(xml).toContain(`Location="${ACS}"`);
  });
});
