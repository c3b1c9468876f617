import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Identify } from "../identity.ts";
import type { JwtKeys } from "../jwt.ts";
import type { Providers } from "./external/providers.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Passwords } from "./accounts/passwords.ts";
import type { Redirects } from "./redirect-allow-list.ts";
import type { SmsSender } from "./sms.ts";

/** What the endpoints stand on. */
export interface AuthContext {
  database: Database;
  jwt: JwtKeys;
  identify: Identify;
  /** The `[auth]` table of config.toml. */
  settings: Config["auth"];
  /** The `iss` of every access token. */
  issuer: string;
  log: Logger;
  passwords: Passwords;
  mailer: Mailer;
  /** Null where no hook is configured, and with it nothing by telephone. */
  sms: SmsSender | null;
  redirects: Redirects;
  /** Who else may vouch for an account. */
  providers: Providers;
  /** Whether what administrators name to be fetched may be at a private address. */
  privateNetworks: boolean;
}

/** One request on its way to an endpoint. */
export interface Call {
  auth: AuthContext;
  request: Request;
  /** The client's network address, as the server in front of us knows it. */
  address: string;
  /** Path parameters by name. */
  params: Readonly<Record<string, string>>;
}

/** The audience of every account and access token. */
export const AUDIENCE = "authenticated";
