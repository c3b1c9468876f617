import { z } from "zod";
import type { Transaction } from "../../../db/database.ts";
import { LONG_JSON_BYTES, readJson } from "../../../body/read-json.ts";
import { uuid } from "../../../uuid.ts";
import { audit } from "../../audit.ts";
import { optionalText, text } from "../../body-fields.ts";
import type { Call } from "../../context.ts";
import { AuthError, validationFailed } from "../../errors.ts";
import { json } from "../../responses.ts";
import { fetchMetadata } from "./fetch-metadata.ts";
import { readIdpMetadata } from "./idp-metadata.ts";
import {
  attributeMapping,
  findSsoProvider,
  listSsoProviders,
  saveSsoProvider,
  ssoProviderJson,
  type SsoProvider,
  type SsoProviderFields,
} from "./providers.ts";

const bodySchema = z.object({
  type: text,
  metadata_url: optionalText,
  metadata_xml: optionalText,
  domains: z
    .array(z.string().trim().toLowerCase())
    .nullish()
    .transform((domains) => domains?.map(requireDomain)),
  attribute_mapping: attributeMapping.nullish().transform((mapping) => mapping ?? undefined),
  resource_id: optionalText,
  disabled: z
    .boolean()
    .nullish()
    .transform((disabled) => disabled ?? undefined),
  name_id_format: optionalText,
});

type Body = z.infer<typeof bodySchema>;

/** `GET admin/sso/providers`. */
export async function getProviders({ auth }: Call): Promise<Response> {
  const providers = await auth.database.transaction(listSsoProviders, { readOnly: true });
  return json({ items: providers.map(ssoProviderJson) });
}

/** `GET admin/sso/providers/{id}`. */
export async function getProvider(call: Call): Promise<Response> {
  return json(ssoProviderJson(await call.auth.database.transaction((tx) => providerOfPath(call, tx), { readOnly: true })));
}

/** `POST admin/sso/providers`: adds an identity provider by its SAML metadata. */
export async function createProvider(call: Call): Promise<Response> {
  const fields = await readJson(call.request, bodySchema, { maxBytes: LONG_JSON_BYTES });
  if (fields.type !== "saml") throw validationFailed("Only 'saml' supported for SSO provider type");
  const metadata = await metadataOf(call, fields);
  if (!metadata) throw validationFailed("Either metadata_xml or metadata_url must be set");
  const provider = await call.auth.database.transaction(async (tx) => {
    const created = await saveSsoProvider(tx, crypto.randomUUID(), merge(fields, metadata));
    await audit(tx, call, "sso_provider_created", "service_role", traitsOf(created));
    return created;
  });
  return json(ssoProviderJson(provider), { status: 201 });
}

/** `PUT admin/sso/providers/{id}`: changes the given fields; the entity id cannot change. */
export async function updateProvider(call: Call): Promise<Response> {
  const fields = await readJson(call.request, bodySchema, { maxBytes: LONG_JSON_BYTES });
  const metadata = await metadataOf(call, fields);
  const provider = await call.auth.database.transaction(async (tx) => {
    const current = await providerOfPath(call, tx);
    if (metadata && metadata.entity_id !== current.entity_id)
      throw new AuthError(
        422,
        "saml_entity_id_mismatch",
        `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${current.entity_id}' but got '${metadata.entity_id}'`,
      );
    const saved = await saveSsoProvider(tx, current.id, merge(fields, metadata ?? current, current));
    await audit(tx, call, "sso_provider_modified", "service_role", traitsOf(saved));
    return saved;
  });
  return json(ssoProviderJson(provider));
}

/** `DELETE admin/sso/providers/{id}`; the accounts of the provider remain and cannot sign in. */
export async function deleteProvider(call: Call): Promise<Response> {
  const deleted = await call.auth.database.transaction(async (tx) => {
    const provider = await providerOfPath(call, tx);
    await tx.query("delete from auth.sso_providers where id = $1", [provider.id]);
    await audit(tx, call, "sso_provider_deleted", "service_role", traitsOf(provider));
    return provider;
  });
  return json(ssoProviderJson(deleted));
}

async function providerOfPath({ params }: Call, tx: Transaction): Promise<SsoProvider> {
  const id = uuid.safeParse(params.provider);
  const provider = id.success ? await findSsoProvider(tx, id.data) : undefined;
  if (!provider) throw new AuthError(404, "sso_provider_not_found", "SSO Identity Provider not found");
  return provider;
}

type Metadata = Pick<SsoProvider, "entity_id" | "metadata_xml" | "metadata_url">;

/** Reads the metadata from the body or from its URL; undefined if the body contains neither. Fails with a 400. */
async function metadataOf({ auth }: Call, { metadata_url, metadata_xml: given }: Body): Promise<Metadata | undefined> {
  if (metadata_url !== undefined && given !== undefined) throw validationFailed("Only one of metadata_xml or metadata_url needs to be set");
  const xml = metadata_url === undefined ? given : await fetchMetadata(metadata_url, auth);
  return xml === undefined ? undefined : { entity_id: readIdpMetadata(xml).entityId, metadata_xml: xml, metadata_url };
}

/** Combines the fields of a body with those of the provider that it changes. */
function merge(fields: Body, { entity_id, metadata_xml, metadata_url }: Metadata, current?: SsoProvider): SsoProviderFields {
  return {
    resource_id: fields.resource_id ?? current?.resource_id,
    disabled: fields.disabled ?? current?.disabled ?? false,
    entity_id,
    metadata_xml,
    metadata_url,
    attribute_mapping: fields.attribute_mapping ?? current?.attribute_mapping,
    name_id_format: fields.name_id_format ?? current?.name_id_format,
    domains: fields.domains ?? current?.domains.map(({ domain }) => domain) ?? [],
  };
}

function traitsOf({ id, entity_id: entityId }: SsoProvider): Record<string, string> {
  return { sso_provider: id, entity_id: entityId };
}

function requireDomain(domain: string): string {
  if (!/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u.test(domain))
    throw validationFailed(`${JSON.stringify(domain)} is not a domain name`);
  return domain;
}
