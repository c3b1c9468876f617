import { z } from "zod";
import { text } from "../../body.ts";
import { AuthError, validationFailed } from "../../errors.ts";
import { attributeMapping } from "../../sso/providers.ts";

const optional = text.transform((value) => (value === "" ? undefined : value));

/** The fields of an identity provider an administrator may write. */
export const providerFields = z.object({
  type: text,
  metadata_url: optional,
  metadata_xml: optional,
  domains: z
    .array(z.string().trim().toLowerCase())
    .nullish()
    .transform((domains) => domains?.map(requireDomain)),
  attribute_mapping: attributeMapping.nullish().transform((mapping) => mapping ?? undefined),
  resource_id: optional,
  disabled: z
    .boolean()
    .nullish()
    .transform((disabled) => disabled ?? undefined),
  name_id_format: optional,
});

type Fields = z.infer<typeof providerFields>;

/** Returns the metadata given, or fetched from where it says; undefined when neither is given. Fails with a 400. */
export async function metadataOf({ metadata_url: url, metadata_xml: xml }: Fields): Promise<string | undefined> {
  if (url !== undefined && xml !== undefined) throw validationFailed("Only one of metadata_xml or metadata_url needs to be set");
  return url === undefined ? xml : fetchMetadata(url);
}

const LONGEST = 1024 * 1024;
const PATIENCE_MS = 10_000;

async function fetchMetadata(url: string): Promise<string> {
  const parsed = URL.parse(url);
  if (!parsed) throw validationFailed("metadata_url is not a valid URL");
  if (parsed.protocol !== "https:") throw validationFailed("metadata_url is not a HTTPS URL");
  try {
    const response = await fetch(parsed, { redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS) });
    const document = response.ok ? await response.text() : "";
    if (document !== "" && document.length <= LONGEST) return document;
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
  }
  throw new AuthError(400, "saml_metadata_fetch_failed", "SAML metadata cannot be fetched from metadata_url");
}

function requireDomain(domain: string): string {
  if (!/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u.test(domain))
    throw validationFailed(`${JSON.stringify(domain)} is not a domain name`);
  return domain;
}
