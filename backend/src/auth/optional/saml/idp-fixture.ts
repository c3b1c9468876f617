import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import { SignedXml } from "xml-crypto";

/** A SAML 2.0 identity provider with its own key and certificate. */
export interface TestIdp {
  entityId: string;
  metadata: string;
  /** Answers the request in the address that a browser was redirected to, with the form that it would post; `changes` make the answer invalid. */
  answer(signOnUrl: string, changes?: AnswerChanges): URLSearchParams;
}

export interface AnswerChanges {
  nameId?: string;
  email?: string | null;
  attributes?: Record<string, string[]>;
  audience?: string;
  issuer?: string;
  recipient?: string;
  inResponseTo?: string;
  /** Seconds from now at which the assertion ends. */
  ends?: number;
  sessionEnds?: number;
  /** The element that is signed; by default the assertion. */
  signed?: "Assertion" | "Response" | "nothing";
  /** Changes the answer after it was signed. */
  tamper?: (xml: string) => string;
}

const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

/** Makes an identity provider with a new key. */
export function createIdp(entityId: string): TestIdp {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const certificate = selfSigned(publicKey, privateKey, "idp").toString("base64");
  return {
    entityId,
    metadata: `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${entityId}/sso"/></md:IDPSSODescriptor></md:EntityDescriptor>`,
    answer(signOnUrl, changes = {}) {
      const { searchParams } = new URL(signOnUrl);
      const request = inflateRawSync(Buffer.from(searchParams.get("SAMLRequest") ?? "", "base64")).toString();
      const xml = responseTo(request, entityId, changes);
      const signed = changes.signed === "nothing" ? xml : signXml(xml, changes.signed ?? "Assertion", privateKey);
      const final = changes.tamper?.(signed) ?? signed;
      return new URLSearchParams({
        SAMLResponse: Buffer.from(final).toString("base64"),
        RelayState: searchParams.get("RelayState") ?? "",
      });
    },
  };
}

function responseTo(request: string, entityId: string, changes: AnswerChanges): string {
  const attribute = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(request)?.[1] ?? "";
  const at = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
  const consumer = attribute("AssertionConsumerServiceURL");
  const audience = changes.audience ?? /<saml:Issuer[^>]*>([^<]*)</.exec(request)?.[1] ?? "";
  const requestId = changes.inResponseTo ?? attribute("ID");
  const { nameId = "person-1", email = "person@school.example", issuer = entityId, ends = 300 } = changes;
  const attributes = { ...(email !== null && { mail: [email] }), ...changes.attributes };
  const statements = Object.entries(attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join("")}</saml:Attribute>`,
  );
  const session = changes.sessionEnds === undefined ? "" : ` SessionNotOnOrAfter="${at(changes.sessionEnds)}"`;
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="response-${crypto.randomUUID()}" Version="2.0" IssueInstant="${at(0)}" Destination="${consumer}" InResponseTo="${requestId}"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="assertion-${crypto.randomUUID()}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${requestId}" NotOnOrAfter="${at(ends)}" Recipient="${changes.recipient ?? consumer}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-60)}" NotOnOrAfter="${at(ends)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"${session}/><saml:AttributeStatement>${statements.join("")}</saml:AttributeStatement></saml:Assertion></samlp:Response>`;
}

function signXml(xml: string, element: string, privateKey: KeyObject): string {
  const xpath = `//*[local-name(.)='${element}']`;
  const signature = new SignedXml({
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }),
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signature.addReference({ xpath, transforms: [ENVELOPED, EXCLUSIVE], digestAlgorithm: SHA256 });
  signature.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: "after" } });
  return signature.getSignedXml();
}

/** The smallest valid certificate (RFC 5280 §4.1), because Node reads certificates but does not make them. */
export function selfSigned(publicKey: KeyObject, privateKey: KeyObject, owner: string): Buffer {
  const algorithm = Buffer.from("300d06092a864886f70d01010b0500", "hex");
  const name = der(0x30, der(0x31, der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from(owner)))));
  const validity = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const body = der(0x30, version, der(0x02, Buffer.from([1])), algorithm, name, validity, name, spki);
  return der(0x30, body, algorithm, der(0x03, Buffer.from([0]), sign("sha256", body, privateKey)));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
