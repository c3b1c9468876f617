import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { AuthError, validationFailed } from "../errors.ts";
import type { Connection } from "../optional/oidc/discover.ts";

/** The issuers of known OpenID Connect providers. Any other provider needs a `url` in config.toml. */
const ISSUERS: Readonly<Record<string, string>> = {
  apple: "https://appleid.apple.com",
  azure: "https://login.microsoftonline.com/common/v2.0",
  gitlab: "https://gitlab.com",
  google: "https://accounts.google.com",
  kakao: "https://kauth.kakao.com",
  linkedin_oidc: "https://www.linkedin.com/oauth",
  slack_oidc: "https://slack.com",
};

/** An OpenID Connect provider of `[auth.external]`. */
export interface Provider {
  name: string;
  enabled: boolean;
  issuer: string;
  /** The accepted audiences of its tokens; the first is the client id of this project. */
  clientIds: readonly string[];
  /** The callback address that the provider redirects to. */
  redirectUri: string;
  skipNonceCheck: boolean;
  /** True if an account does not need a verified email address. */
  emailOptional: boolean;
  /** Reads the provider's metadata and caches it. Imports openid-client. Fails if the provider cannot be reached. */
  connect(): Promise<Connection>;
}

/** The OpenID Connect providers of a project. */
export interface Providers {
  /** True if at least one provider is enabled. */
  anyEnabled: boolean;
  /** Returns for each name in config.toml if its provider is enabled. */
  switches(): Record<string, boolean>;
  find(name: string): Provider | undefined;
  findByIssuer(issuer: string): Provider | undefined;
}

/** Creates the providers of `[auth.external]`; they call back to an address below `issuer`, the issuer of this project. */
export function createProviders(external: Config["auth"]["external"], issuer: string, log: Logger): Providers {
  const names = new Set([...Object.keys(ISSUERS), ...Object.keys(external)]);
  const providers = Array.from(names).flatMap((name) => createProvider(name, external[name], `${issuer}/callback`) ?? []);
  const find = (name: string): Provider | undefined => providers.find((provider) => provider.name === name);
  const unknown = Object.keys(external).filter((name) => external[name]?.enabled && !find(name));
  if (unknown.length > 0)
    log.warn(
      { keys: unknown.map((name) => `auth.external.${name}`) },
      "providers without a known OpenID Connect issuer stay disabled; set their url",
    );
  return {
    anyEnabled: providers.some(({ enabled }) => enabled),
    switches: () => Object.fromEntries(Object.keys(external).map((name) => [name, find(name)?.enabled === true])),
    find,
    findByIssuer: (wanted) => providers.find((provider) => provider.issuer === wanted),
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
      connection ??= import("../optional/oidc/discover.ts")
        .then(({ discover }) => discover(issuer, clientIds[0] ?? "", given?.secret ?? ""))
        .catch((error: unknown) => {
          // The next sign-in tries again.
          connection = undefined;
          throw error;
        });
      return connection;
    },
  };
}

/** Azure is configured by the address of a tenant; its issuer is that address plus the version. */
function issuerOf(name: string, url: string): string {
  let plain = url;
  while (plain.endsWith("/")) plain = plain.slice(0, -1);
  return name === "azure" && !plain.endsWith("/v2.0") ? `${plain}/v2.0` : plain;
}

/** Returns the error for an id token of a provider that is unknown or disabled. */
export function providerDisabled(providers: Providers, { provider: name, issuer }: { provider: string; issuer: string }): AuthError {
  const provider = name === "" ? providers.findByIssuer(issuer) : providers.find(name);
  if (!provider) return validationFailed(`Custom OIDC provider ${JSON.stringify(name || issuer)} not allowed`);
  return new AuthError(400, "provider_disabled", `Provider (issuer ${JSON.stringify(provider.issuer)}) is not enabled`);
}
