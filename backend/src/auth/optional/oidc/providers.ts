import { createRemoteJWKSet, type JWTVerifyGetKey } from "jose";
import * as client from "openid-client";
import type { Logger } from "pino";
import type { Config } from "../../../config.ts";

/** Where OpenID Connect providers are when config.toml does not say; others need a `url`. */
const ISSUERS: Readonly<Record<string, string>> = {
  apple: "https://appleid.apple.com",
  azure: "https://login.microsoftonline.com/common/v2.0",
  gitlab: "https://gitlab.com",
  google: "https://accounts.google.com",
  kakao: "https://kauth.kakao.com",
  linkedin_oidc: "https://www.linkedin.com/oauth",
  slack_oidc: "https://slack.com",
};

/** An OpenID Connect provider by its name in `[auth.external]`. */
export interface Provider {
  name: string;
  enabled: boolean;
  issuer: string;
  /** Audiences its tokens may have; the first is the client that signs people in here. */
  clientIds: readonly string[];
  /** Where the provider sends people back to. */
  redirectUri: string;
  skipNonceCheck: boolean;
  /** Whether somebody without a verified address may have an account. */
  emailOptional: boolean;
  /** Reads the provider's own description, once. Fails when it cannot be reached. */
  connect(): Promise<Connection>;
}

/** A provider as it describes itself. */
export interface Connection {
  configuration: client.Configuration;
  /** Its published signing keys, fetched again when an unknown one is asked for. */
  keys: JWTVerifyGetKey;
}

/** The providers of a project. */
export interface Providers {
  /** Says for each name in config.toml whether people can sign in there. */
  switches(): Record<string, boolean>;
  find(name: string): Provider | undefined;
  findByIssuer(issuer: string): Provider | undefined;
}

/** Makes the providers of `[auth.external]`; `issuer` is our own, below which they call back. `log` hears of those that cannot be. */
export function createProviders(external: Config["auth"]["external"], issuer: string, log: Logger): Providers {
  const names = new Set([...Object.keys(ISSUERS), ...Object.keys(external)]);
  const all = new Map(Array.from(names, (name) => [name, createProvider(name, external[name], `${issuer}/callback`)]));
  const impossible = Object.keys(external).filter((name) => external[name]?.enabled && !all.get(name));
  if (impossible.length > 0)
    log.warn(
      { keys: impossible.map((name) => `auth.external.${name}`) },
      "providers without an OpenID Connect issuer are off; a url names one",
    );
  return {
    switches: () => Object.fromEntries(Object.keys(external).map((name) => [name, all.get(name)?.enabled === true])),
    find: (name) => all.get(name),
    findByIssuer: (wanted) => [...all.values()].find((provider) => provider?.issuer === wanted),
  };
}

function createProvider(name: string, given: Config["auth"]["external"][string] | undefined, callback: string): Provider | undefined {
  const issuer = given?.url ? issuerOf(name, given.url) : ISSUERS[name];
  if (issuer === undefined) return undefined;
  const clientIds = (given?.client_id ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean);
  let connection: Promise<Connection> | undefined;
  return {
    name,
    enabled: given?.enabled === true,
    issuer,
    clientIds,
    redirectUri: given?.redirect_uri || callback,
    skipNonceCheck: given?.skip_nonce_check === true,
    emailOptional: given?.email_optional === true,
    connect() {
      connection ??= discover(issuer, clientIds[0] ?? "", given?.secret ?? "").catch((error: unknown) => {
        // Forgotten, so that the next sign-in tries again.
        connection = undefined;
        throw error;
      });
      return connection;
    },
  };
}

/** Azure is configured by its tenant's address, of which the issuer is a version. */
function issuerOf(name: string, url: string): string {
  let plain = url;
  while (plain.endsWith("/")) plain = plain.slice(0, -1);
  return name === "azure" && !plain.endsWith("/v2.0") ? `${plain}/v2.0` : plain;
}

async function discover(issuer: string, clientId: string, secret: string): Promise<Connection> {
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
