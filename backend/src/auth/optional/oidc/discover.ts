import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import * as client from "openid-client";

/** The metadata and keys that a provider publishes. */
export interface Connection {
  configuration: client.Configuration;
  /** Its signing keys; fetched again for an unknown key id. */
  keys: JWTVerifyGetKey;
}

/** Reads the metadata of a provider (OpenID Connect Discovery). Fails if the provider cannot be reached or publishes no keys. */
export async function discover(issuer: string, clientId: string, secret: string): Promise<Connection> {
  const url = new URL(issuer);
  const execute = isLoopback(url) ? [client.allowInsecureRequests] : [];
  execute.push(client.enableNonRepudiationChecks);
  const authentication = secret === "" ? client.None() : client.ClientSecretPost(secret);
  const configuration = await client.discovery(url, clientId, undefined, authentication, { execute, timeout: 10 });
  const { jwks_uri: keysAt } = configuration.serverMetadata();
  if (keysAt === undefined) throw new Error(`The provider at ${issuer} publishes no keys`);
  return { configuration, keys: createRemoteJWKSet(new URL(keysAt)) };
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
