import { z } from "zod";
import type { SsoProvider } from "./providers.ts";

/** The attribute values of an assertion by attribute name. */
export type Attributes = ReadonlyMap<string, readonly string[]>;

type Mapping = SsoProvider["attribute_mapping"];

/** The attribute names that common identity providers use for the email address. */
const EMAIL_NAMES = [
  "urn:oid:0.9.2342.19200300.100.1.3",
  "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
  "http://schemas.xmlsoap.org/claims/EmailAddress",
  "mail",
  "Mail",
  "email",
  "Email",
];

const address = z.email().max(255);

/** Finds the email address: in the mapped attribute, else in a common attribute, else in the NameID; null if none is valid. */
export function emailOfAttributes(attributes: Attributes, mapping: Mapping, nameId: string): string | null {
  const mapped = mapping?.keys?.email && valueOf(attributes, mapping.keys.email);
  const common = EMAIL_NAMES.flatMap((name) => attributes.get(name) ?? []);
  const found = [mapped, ...common, nameId].find((candidate) => address.safeParse(candidate).success);
  return typeof found === "string" ? found.toLowerCase() : null;
}

/** Maps attributes to claims by the provider's mapping, except the email address. */
export function claimsOfAttributes(attributes: Attributes, mapping: Mapping): Record<string, unknown> {
  const named = Object.entries(mapping?.keys ?? {}).filter(([claim]) => claim !== "email");
  const claims = named.map(([claim, key]) => [claim, valueOf(attributes, key)] as const).filter(([, value]) => value !== undefined);
  return claims.length > 0 ? { custom_claims: Object.fromEntries(claims) } : {};
}

type Key = NonNullable<NonNullable<Mapping>["keys"]>[string];

function valueOf(attributes: Attributes, key: Key): unknown {
  const names = [...(key.name === undefined ? [] : [key.name]), ...(key.names ?? [])];
  const values = names.map((name) => attributes.get(name)).find((found) => found !== undefined && found.length > 0);
  if (!values) return key.default;
  return key.array === true ? values : values[0];
}
