import { z } from "zod";
import { text } from "../../../body-fields.ts";
import type { Call } from "../../../context.ts";
import { validationFailed } from "../../../errors.ts";
import { attributeMapping } from "../providers.ts";
import { fetchMetadata } from "./fetch-metadata.ts";

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
export async function metadataOf({ auth }: Call, { metadata_url: url, metadata_xml: xml }: Fields): Promise<string | undefined> {
  if (url !== undefined && xml !== undefined) throw validationFailed("Only one of metadata_xml or metadata_url needs to be set");
  return url === undefined ? xml : fetchMetadata(url, auth);
}

function requireDomain(domain: string): string {
  if (!/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u.test(domain))
    throw validationFailed(`${JSON.stringify(domain)} is not a domain name`);
  return domain;
}
