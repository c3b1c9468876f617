import { audit } from "../../../audit.ts";
import { readJson } from "../../../../read-json.ts";
import type { Call } from "../../../context.ts";
import { validationFailed } from "../../../errors.ts";
import { json } from "../../../responses.ts";
import { readIdpMetadata } from "../idp-metadata.ts";
import { saveSsoProvider, ssoProviderJson } from "../providers.ts";
import { metadataOf, providerFields } from "./provider-fields.ts";

/** `POST admin/sso/providers`: a new identity provider by its SAML metadata. */
export async function createProvider(call: Call): Promise<Response> {
  const fields = await readJson(call.request, providerFields);
  if (fields.type !== "saml") throw validationFailed("Only 'saml' supported for SSO provider type");
  const metadataXml = await metadataOf(call, fields);
  if (metadataXml === undefined) throw validationFailed("Either metadata_xml or metadata_url must be set");
  const { entityId } = readIdpMetadata(metadataXml);
  const provider = await call.auth.database.transaction(async (tx) => {
    const created = await saveSsoProvider(tx, crypto.randomUUID(), {
      resourceId: fields.resource_id ?? null,
      disabled: fields.disabled ?? false,
      entityId,
      metadataXml,
      metadataUrl: fields.metadata_url ?? null,
      attributeMapping: fields.attribute_mapping ?? null,
      nameIdFormat: fields.name_id_format ?? null,
      domains: fields.domains ?? [],
    });
    await audit(tx, call, "sso_provider_created", "service_role", { sso_provider: created.id, entity_id: entityId });
    return created;
  });
  return json(ssoProviderJson(provider), { status: 201 });
}
