import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../../test/database.ts";
import { SECRET_KEY, startAuth, type Answer, type TestAuth } from "../../fixture.ts";
import { createIdp } from "./idp-fixture.ts";

describeDatabases("identity providers of single sign-on", (open) => {
  const idp = createIdp("https://idp.school.example");
  let api: TestAuth;
  let providerId: string;

  const asAdmin = (method: string, path: string, body?: unknown): Promise<Answer> =>
    api.send(method, `/admin/sso/providers${path}`, { headers: { apikey: SECRET_KEY }, ...(body !== undefined && { body }) });

  beforeAll(async () => {
    api = await startAuth(await open(), { sso: { enabled: true } });
    const { body } = await asAdmin("POST", "", { type: "saml", metadata_xml: idp.metadata, domains: ["School.example"] });
    providerId = String(body.id);
  });

  test("administrators list, read, change and remove identity providers", async () => {
    const second = createIdp("https://second.example");
    const made = await asAdmin("POST", "", { type: "saml", metadata_xml: second.metadata, domains: ["second.example"] });
    const id = String(made.body.id);
    expect(made.body).toMatchObject({
      disabled: false,
      saml: { entity_id: "https://second.example" },
      domains: [{ domain: "second.example" }],
    });
    expect((await asAdmin("GET", `/${id}`)).body).toEqual(made.body);
    expect((await asAdmin("GET", "")).body.items).toContainEqual(made.body);

    const changed = await asAdmin("PUT", `/${id}`, { domains: ["third.example"], disabled: true, resource_id: "ours" });
    expect(changed.body).toMatchObject({ disabled: true, resource_id: "ours", domains: [{ domain: "third.example" }] });
    expect((await api.send("POST", "/sso", { body: { domain: "third.example" } })).body.error_code).toBe("sso_provider_not_found");

    const renewed = await asAdmin("PUT", `/${id}`, { metadata_xml: createIdp("https://second.example").metadata });
    expect(renewed.status).toBe(200);
    expect((await asAdmin("DELETE", `/${id}`)).body).toMatchObject({ id });
    const deleted = await asAdmin("GET", `/${id}`);
    expect([deleted.status, deleted.body.error_code]).toEqual([404, "sso_provider_not_found"]);
    const entries = await api.sql(
      "select payload ->> 'action' as action from auth.audit_log_entries where payload -> 'traits' ->> 'sso_provider' = $1 order by created_at",
      [id],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      "sso_provider_created",
      "sso_provider_modified",
      "sso_provider_modified",
      "sso_provider_deleted",
    ]);
  });

  test("an unusable identity provider is refused", async () => {
    const other = createIdp("https://other.example").metadata;
    const bad: [body: unknown, status: number, code: string][] = [
      [{ type: "ldap", metadata_xml: other }, 400, "validation_failed"],
      [{ type: "saml" }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: other, metadata_url: "https://other.example" }, 400, "validation_failed"],
      [{ type: "saml", metadata_url: "not a url" }, 400, "validation_failed"],
      [{ type: "saml", metadata_url: "http://other.example" }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: "<a/>" }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: "not XML" }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: `<!DOCTYPE a>${other}` }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: other.replace("HTTP-Redirect", "HTTP-POST") }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: other.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/, "") }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: other, domains: ["no domain"] }, 400, "validation_failed"],
      [{ type: "saml", metadata_xml: other, domains: ["school.example"] }, 422, "sso_domain_already_exists"],
      [{ type: "saml", metadata_xml: idp.metadata }, 422, "saml_idp_already_exists"],
    ];
    for (const [body, status, code] of bad) {
      const answer = await asAdmin("POST", "", body);
      expect([answer.status, answer.body.error_code], JSON.stringify(body).slice(0, 80)).toEqual([status, code]);
    }
    const mismatch = await asAdmin("PUT", `/${providerId}`, { metadata_xml: other });
    expect([mismatch.status, mismatch.body.error_code]).toEqual([422, "saml_entity_id_mismatch"]);
    expect((await asAdmin("GET", "")).body.items).toHaveLength(1);
  });

  test("only administrators have access", async () => {
    const { access_token: token } = await api.signIn("curious@larkfell.example");
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["GET", `/${providerId}`],
      ["PUT", `/${providerId}`],
      ["DELETE", `/${providerId}`],
    ] as const)
      expect((await api.send(method, `/admin/sso/providers${path}`, { token })).body.error_code).toBe("not_admin");
  });
});
