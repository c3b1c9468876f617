import type { LookupAddress } from "node:dns";
import { lookup as resolve } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { BlockList, type LookupFunction } from "node:net";
import { collectBytes } from "../../../body/read-bytes.ts";
import { AuthError, validationFailed } from "../../errors.ts";

const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 5_000;

/**
 * Fetches the SAML metadata of an identity provider: by https, without following redirects, and from a public address
 * unless `privateNetworks` is true, so that no caller can read from our own network (SSRF). Fails with a 400.
 */
export async function fetchMetadata(url: string, { privateNetworks }: { privateNetworks: boolean }): Promise<string> {
  const parsed = URL.parse(url);
  if (!parsed) throw validationFailed("metadata_url is not a valid URL");
  if (parsed.protocol !== "https:") throw validationFailed("metadata_url is not a HTTPS URL");
  const addresses = await resolve(parsed.hostname.replaceAll(/[[\]]/g, ""), { all: true }).catch(() => []);
  if (!privateNetworks && addresses.some((address) => !isPublic(address)))
    throw validationFailed("metadata_url leads to a private address: give metadata_xml instead");
  const document = addresses.length > 0 && (await download(parsed, addresses).catch(() => ""));
  if (!document) throw new AuthError(400, "saml_metadata_fetch_failed", "SAML metadata cannot be fetched from metadata_url");
  return document;
}

/** Downloads from the addresses that were checked, even if the name resolves differently now; returns "" unless the status is 200. */
async function download(url: URL, addresses: LookupAddress[]): Promise<string> {
  const pinned: LookupFunction = (_hostname, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { lookup: pinned, signal, agent: false, headers: { Accept: "application/samlmetadata+xml, application/xml" } }, answered).on(
    "error",
    reject,
  );
  const response = await promise;
  const document = response.statusCode === 200 ? await collectBytes(response, MAX_BYTES) : null;
  response.destroy();
  return document?.toString() ?? "";
}

const PRIVATE = new BlockList();
// Special-purpose networks (RFC 6890), tunnels into them, and multicast.
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  PRIVATE.addSubnet(network, prefix, "ipv6");

const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet("2000::", 3, "ipv6");

/** Returns true if an address belongs to the public internet. */
export function isPublic({ address, family }: LookupAddress): boolean {
  if (family === 4) return !PRIVATE.check(address, "ipv4");
  return GLOBAL_IPV6.check(address, "ipv6") && !PRIVATE.check(address, "ipv6");
}
