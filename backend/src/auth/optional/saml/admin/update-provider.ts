import { audit } from "../../../audit.ts";
import { readJson } from "../../../../read-json.ts";
import type { Call } from "../../../context.ts";
import { AuthError } from "../../../errors.ts";
import { json } from "../../../responses.ts";
import { readIdpMetadata } from "../idp-metadata.ts";
import { saveSsoProvider, ssoProviderJson } from "../providers.ts";
import { metadataOf, providerFields } from "./provider-fields.ts";
import { providerOfPath } from "./provider-of-path.ts";

/** `PUT admin/sso/providers/{id}`: changes what is given; another identity provider it cannot become. */
export async function updateProvider(call: Call): Promise<Response> {
  const fields = await readJson(call.request, providerFields);
  const metadataXml = await metadataOf(call, fields);
  const entityId = metadataXml === undefined ? undefined : readIdpMetadata(metadataXml).entityId;
  const provider = await call.auth.database.transaction(async (tx) => {
    const current = await providerOfPath(call, tx);
    if (entityId !== undefined && entityId !== current.entity_id)
      throw new AuthError(
        422,
        "saml_entity_id_mismatch",
        `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${current.entity_id}' but got '${entityId}'`,
      );
    const saved = await saveSsoProvider(tx, current.id, {
      resourceId: fields.resource_id ?? current.resource_id,
      disabled: fields.disabled ?? current.disabled,
      entityId: current.entity_id,
      metadataXml: metadataXml ?? current.metadata_xml,
      metadataUrl: metadataXml === undefined ? current.metadata_url : (fields.metadata_url ?? null),
      attributeMapping: fields.attribute_mapping ?? current.attribute_mapping,
      nameIdFormat: fields.name_id_format ?? current.name_id_format,
      domains: fields.domains ?? current.domains.map(({ domain }) => domain),
    });
    await audit(tx, call, "sso_provider_modified", "service_role", { sso_provider: saved.id, entity_id: saved.entity_id });
    return saved;
  });
  return json(ssoProviderJson(provider));
}
