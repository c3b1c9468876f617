import { DOMParser } from "@xmldom/xmldom";
import { validationFailed } from "../../errors.ts";

/** The parts of an identity provider's SAML metadata that a sign-in needs. */
interface IdpMetadata {
  entityId: string;
  /** The sign-in address (HTTP-Redirect binding). */
  signOnUrl: string;
  /** The signing certificates in base64. */
  certificates: string[];
}

const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
const SIGNATURES = "http://www.w3.org/2000/09/xmldsig#";
const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/** Reads the metadata document of one identity provider (SAML 2.0 Metadata §2.4.3). Fails with a 400. */
export function readIdpMetadata(xml: string): IdpMetadata {
  const entity = parse(xml);
  const entityId = entity.getAttribute("entityID");
  const [idp] = children(entity, METADATA, "IDPSSODescriptor");
  if (!entityId || !idp) throw invalid("it describes no identity provider");
  if (idp.getAttribute("WantAuthnRequestsSigned") === "true") throw invalid("it requires signed requests, which are not supported");
  const service = children(idp, METADATA, "SingleSignOnService").find((element) => element.getAttribute("Binding") === REDIRECT);
  const signOnUrl = URL.parse(service?.getAttribute("Location") ?? "");
  if (!signOnUrl || !/^https?:$/.test(signOnUrl.protocol)) throw invalid("it has no sign-on service with the HTTP-Redirect binding");
  const certificates = children(idp, METADATA, "KeyDescriptor")
    .filter((element) => element.getAttribute("use") !== "encryption")
    .flatMap((element) => Array.from(element.getElementsByTagNameNS(SIGNATURES, "X509Certificate")))
    .map((element) => (element.textContent ?? "").replaceAll(/\s/g, ""))
    .filter(Boolean);
  if (certificates.length === 0) throw invalid("it has no certificate to check signatures with");
  return { entityId, signOnUrl: signOnUrl.href, certificates };
}

function parse(xml: string): Element {
  // A document type can define entities (XXE), and metadata needs none.
  if (/<!DOCTYPE/i.test(xml)) throw invalid("it has a document type");
  const problems: string[] = [];
  const collect = (problem: string): void => void problems.push(problem);
  const document = new DOMParser({ errorHandler: { warning: collect, error: collect, fatalError: collect } }).parseFromString(
    xml,
    "text/xml",
  );
  const root = document?.documentElement;
  if (problems.length > 0 || root?.localName !== "EntityDescriptor" || root.namespaceURI !== METADATA)
    throw invalid("it is not an EntityDescriptor");
  return root;
}

function children(parent: Element, namespace: string, name: string): Element[] {
  return Array.from(parent.getElementsByTagNameNS(namespace, name));
}

function invalid(reason: string): ReturnType<typeof validationFailed> {
  return validationFailed(`SAML metadata cannot be used: ${reason}`);
}
