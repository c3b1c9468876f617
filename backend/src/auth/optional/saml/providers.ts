import { z } from "zod";
import { DatabaseError, type Transaction } from "../../../db/database.ts";
import * as SQLSTATE from "../../../sqlstates.ts";
import { AuthError } from "../../errors.ts";

const instant = z.union([z.date(), z.string()]).transform((value) => new Date(value).toISOString());

const mappedAttribute = z.object({
  name: z.string().optional(),
  names: z.array(z.string()).optional(),
  default: z.unknown().optional(),
  array: z.boolean().optional(),
});

/** Maps claims to attributes of an assertion. */
export const attributeMapping = z.object({ keys: z.record(z.string(), mappedAttribute).optional() });

const optionalText = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined);

const providerSchema = z.object({
  id: z.string(),
  resource_id: optionalText,
  disabled: z.boolean(),
  created_at: instant,
  updated_at: instant,
  entity_id: z.string(),
  metadata_xml: z.string(),
  metadata_url: optionalText,
  attribute_mapping: attributeMapping.nullable().transform((value) => value ?? undefined),
  name_id_format: optionalText,
  domains: z.array(z.object({ id: z.string(), domain: z.string(), created_at: instant, updated_at: instant })),
});

/** An identity provider of `auth.sso_providers`, with its SAML half and its domains. */
export type SsoProvider = z.infer<typeof providerSchema>;

const SELECT = `select p.id, p.resource_id, coalesce(p.disabled, false) as disabled, p.created_at, p.updated_at, s.entity_id,
    s.metadata_xml, s.metadata_url, s.attribute_mapping, s.name_id_format,
    (select coalesce(json_agg(d order by d.domain), '[]') from auth.sso_domains d where d.sso_provider_id = p.id) as domains
  from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id`;

/** Lists every identity provider, oldest first. */
export async function listSsoProviders(tx: Transaction): Promise<SsoProvider[]> {
  const rows = await tx.query(`${SELECT} order by p.created_at, p.id`);
  return rows.map((row) => providerSchema.parse(row));
}

/** Finds an identity provider, disabled or not. */
export async function findSsoProvider(tx: Transaction, id: string): Promise<SsoProvider | undefined> {
  const [row] = await tx.query(`${SELECT} where p.id = $1`, [id]);
  return row && providerSchema.parse(row);
}

/** Finds the identity provider of an email domain. */
export async function findSsoProviderByDomain(tx: Transaction, domain: string): Promise<SsoProvider | undefined> {
  const [row] = await tx.query(`${SELECT} where p.id = (select sso_provider_id from auth.sso_domains where lower(domain) = lower($1))`, [
    domain,
  ]);
  return row && providerSchema.parse(row);
}

/** The writable fields of an identity provider. */
export interface SsoProviderFields extends Omit<SsoProvider, "id" | "created_at" | "updated_at" | "domains"> {
  domains: readonly string[];
}

const SAVE = `with provider as (
    insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at) values ($1::uuid, $2, $3, now(), now())
    on conflict (id) do update set resource_id = excluded.resource_id, disabled = excluded.disabled, updated_at = now()
  ), changed as (
    update auth.saml_providers set entity_id = $4, metadata_xml = $5, metadata_url = $6, attribute_mapping = $7::text::jsonb,
      name_id_format = $8, updated_at = now() where sso_provider_id = $1::uuid returning id
  )
  insert into auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format,
    created_at, updated_at)
  select gen_random_uuid(), $1::uuid, $4, $5, $6, $7::text::jsonb, $8, now(), now() where not exists (select from changed)`;

/** Creates or replaces an identity provider. Fails with a 422 if a domain, entity id or resource id is in use. */
export async function saveSsoProvider(tx: Transaction, id: string, fields: SsoProviderFields): Promise<SsoProvider> {
  const { disabled, entity_id: entityId, metadata_xml: xml, domains } = fields;
  const optional = [fields.metadata_url, fields.attribute_mapping && JSON.stringify(fields.attribute_mapping), fields.name_id_format];
  try {
    await tx.query(SAVE, [id, fields.resource_id ?? null, disabled, entityId, xml, ...optional.map((value) => value ?? null)]);
    await tx.query("delete from auth.sso_domains where sso_provider_id = $1 and not lower(domain) = any (string_to_array($2, ','))", [
      id,
      domains.join(","),
    ]);
    for (const domain of domains) await tx.query(ADD_DOMAIN, [id, domain]);
  } catch (error) {
    const taken = error instanceof DatabaseError && error.code === SQLSTATE.uniqueViolation ? TAKEN[error.constraint ?? ""] : undefined;
    if (taken) throw new AuthError(422, ...taken);
    throw error;
  }
  const saved = await findSsoProvider(tx, id);
  if (!saved) throw new Error("The identity provider was deleted while it was saved");
  return saved;
}

const ADD_DOMAIN = `insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
  select gen_random_uuid(), $1::uuid, $2, now(), now()
  where not exists (select from auth.sso_domains where sso_provider_id = $1::uuid and lower(domain) = $2)`;

const TAKEN: Readonly<Record<string, [code: string, message: string]>> = {
  sso_domains_domain_idx: ["sso_domain_already_exists", "SSO Domain is already assigned to an SSO identity provider"],
  saml_providers_entity_id_key: ["saml_idp_already_exists", "SAML Identity Provider with this EntityID already exists"],
  sso_providers_resource_id_idx: ["sso_provider_already_exists", "SSO Identity Provider with this resource_id already exists"],
};

/** Converts an identity provider to the JSON of the admin API. */
export function ssoProviderJson(provider: SsoProvider): Record<string, unknown> {
  const { entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format, ...rest } = provider;
  return { ...rest, saml: { entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format } };
}
