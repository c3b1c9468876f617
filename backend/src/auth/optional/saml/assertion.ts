import { z } from "zod";
import type { AuthContext } from "../../context.ts";
import { AuthError } from "../../errors.ts";
import type { ExternalProfile } from "../../external/profile.ts";
import type { SsoProvider } from "./providers.ts";
import { CLOCK_SKEW_MS, consumerUrlOf, samlOf } from "./service-provider.ts";

/** The person that an assertion describes, and the time when the session must end. */
interface Assertion {
  profile: ExternalProfile;
  notAfter: Date | null;
}

/** xml2js reads an element without attributes and content as an empty string. */
const element = <T extends z.ZodType>(schema: T): z.ZodPreprocess<T> => z.preprocess((given) => (given === "" ? {} : given), schema);
const text = z.object({ _: z.string().min(1) });
const confirmationData = z.object({
  $: z.object({ Recipient: z.string(), InResponseTo: z.string(), NotOnOrAfter: z.coerce.date(), NotBefore: z.coerce.date().optional() }),
});
const confirmation = z.object({ $: z.object({ Method: z.string() }), SubjectConfirmationData: z.tuple([confirmationData]) });
const attribute = z.object({
  $: z.object({ Name: z.string() }),
  AttributeValue: z.array(element(z.object({ _: z.string().optional() }))).default([]),
});

// The form of xml2js: each element is an array, attributes are in `$`, text is in `_`. A tuple of one means exactly once.
const assertionSchema = z.object({
  Assertion: z.object({
    Issuer: z.tuple([text]),
    Subject: z.tuple([z.object({ NameID: z.tuple([text]), SubjectConfirmation: z.array(z.unknown()).min(1) })]),
    Conditions: z.tuple([z.object({ AudienceRestriction: z.array(z.unknown()).min(1) })]),
    AuthnStatement: z.array(z.object({ $: z.object({ SessionNotOnOrAfter: z.coerce.date().optional() }) })).min(1),
    AttributeStatement: z.array(element(z.object({ Attribute: z.array(attribute).default([]) }))).default([]),
  }),
});

const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

/** Reads the signed assertion of a response to the request `requestId`; ignores everything unsigned. Fails with an `AuthError`. */
export async function readAssertion(auth: AuthContext, provider: SsoProvider, response: string, requestId: string): Promise<Assertion> {
  const signed = assertionSchema.safeParse(await signedAssertion(auth, provider, response));
  if (!signed.success) throw invalidAssertion();
  const { Issuer, Subject, AuthnStatement, AttributeStatement } = signed.data.Assertion;
  if (Issuer[0]._.trim() !== provider.entity_id)
    throw new AuthError(404, "saml_idp_not_found", "A SAML connection has not been established with this Identity Provider");
  const recipient = consumerUrlOf(auth);
  if (!Subject[0].SubjectConfirmation.some((given) => confirms(given, recipient, requestId))) throw invalidAssertion();

  const subject = Subject[0].NameID[0]._.trim();
  const attributes = new Map(
    AttributeStatement.flatMap(({ Attribute }) => Attribute).map(({ $, AttributeValue }) => [
      $.Name,
      AttributeValue.flatMap(({ _: value }) => (value === undefined ? [] : [value.trim()])),
    ]),
  );
  const email = emailOfAttributes(attributes, provider.attribute_mapping, subject);
  if (email === null) throw new AuthError(400, "saml_assertion_no_email", "SAML Assertion does not contain an email address");
  const claims = claimsOfAttributes(attributes, provider.attribute_mapping);
  const data = { ...claims, iss: provider.entity_id, sub: subject, email, email_verified: true, phone_verified: false };
  const ends = AuthnStatement.flatMap(({ $ }) => $.SessionNotOnOrAfter ?? []).toSorted((a, b) => a.getTime() - b.getTime());
  return { profile: { provider: `sso:${provider.id}`, subject, email, emailVerified: true, data }, notAfter: ends[0] ?? null };
}

async function signedAssertion(auth: AuthContext, provider: SsoProvider, response: string): Promise<unknown> {
  if (/<!DOCTYPE/i.test(Buffer.from(response, "base64").toString())) throw invalidAssertion();
  try {
    const { profile } = await samlOf(auth, provider, "").validatePostResponseAsync({ SAMLResponse: response });
    return profile?.getAssertion?.();
  } catch (error) {
    // node-saml throws plain errors for a wrong signature, audience, time or form.
    if (!(error instanceof Error)) throw error;
    auth.log.warn({ sso_provider: provider.id, reason: error.message }, "a SAML response is not valid");
    throw invalidAssertion();
  }
}

/** Returns true if a confirmation is valid for this recipient, time and request (SAML 2.0 Profiles §4.1.4.2). */
function confirms(given: unknown, recipient: string, requestId: string): boolean {
  const parsed = confirmation.safeParse(given);
  if (!parsed.success || parsed.data.$.Method !== BEARER) return false;
  const { Recipient, InResponseTo, NotOnOrAfter, NotBefore } = parsed.data.SubjectConfirmationData[0].$;
  const now = Date.now();
  return (
    Recipient === recipient &&
    InResponseTo === requestId &&
    now - CLOCK_SKEW_MS < NotOnOrAfter.getTime() &&
    (!NotBefore || now + CLOCK_SKEW_MS >= NotBefore.getTime())
  );
}

function invalidAssertion(): AuthError {
  return new AuthError(400, "validation_failed", "SAML Assertion is not valid");
}

/** The attribute values of an assertion by attribute name. */
type Attributes = ReadonlyMap<string, readonly string[]>;

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
function emailOfAttributes(attributes: Attributes, mapping: Mapping, nameId: string): string | null {
  const mapped = mapping?.keys?.email && valueOf(attributes, mapping.keys.email);
  const common = EMAIL_NAMES.flatMap((name) => attributes.get(name) ?? []);
  const found = [mapped, ...common, nameId].find((candidate) => address.safeParse(candidate).success);
  return typeof found === "string" ? found.toLowerCase() : null;
}

/** Maps attributes to claims by the provider's mapping, except the email address. */
function claimsOfAttributes(attributes: Attributes, mapping: Mapping): Record<string, unknown> {
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
