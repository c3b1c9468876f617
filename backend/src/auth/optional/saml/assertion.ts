import { z } from "zod";
import type { AuthContext } from "../../context.ts";
import { AuthError } from "../../errors.ts";
import type { Vouched } from "../../accounts/external-profile.ts";
import { claimsOfAttributes, emailOfAttributes } from "./attributes.ts";
import type { SsoProvider } from "./providers.ts";
import { CLOCK_SKEW_MS, consumerUrlOf, samlOf } from "./saml.ts";

/** Whom an assertion is about, and when the session it opens must end. */
export interface Assertion {
  vouched: Vouched;
  notAfter: Date | null;
}

/** An element without attributes and content is an empty string. */
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

// As xml2js reads it: every element an array, attributes in `$`, text in `_`. What must be there once is a tuple of one.
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

/** Reads the answer to a request of ours, by what the identity provider has signed of it only. Fails with an `AuthError`. */
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
  return { vouched: { provider: `sso:${provider.id}`, subject, email, emailVerified: true, data }, notAfter: ends[0] ?? null };
}

async function signedAssertion(auth: AuthContext, provider: SsoProvider, response: string): Promise<unknown> {
  if (/<!DOCTYPE/i.test(Buffer.from(response, "base64").toString())) throw invalidAssertion();
  try {
    const { profile } = await (await samlOf(auth, provider, "")).validatePostResponseAsync({ SAMLResponse: response });
    return profile?.getAssertion?.();
  } catch (error) {
    // node-saml has no errors of its own: signature, audience, time and form all come as plain ones.
    if (!(error instanceof Error)) throw error;
    auth.log.warn({ sso_provider: provider.id, reason: error.message }, "a SAML response was refused");
    throw invalidAssertion();
  }
}

/** Whether the bearer may use the assertion here, now and for this request (SAML 2.0 Profiles §4.1.4.2). */
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
