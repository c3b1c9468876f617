import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import type { Pool } from "../db/pool.ts";
import type { Identify } from "../identity.ts";
import type { JwtKeys } from "../jwt/jwt.ts";
import { uuid } from "../uuid.ts";
import type { Providers } from "./external/providers.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Passwords } from "./accounts/passwords.ts";
import type { Redirects } from "./redirect-allow-list.ts";
import { AuthError } from "./errors.ts";
import type { SmsSender } from "./sms.ts";

/** Dependencies shared by all auth endpoints. */
export interface AuthContext {
  database: Database;
  /** Limits how many transactions of the rate limits run at the same time. */
  limitTurns: Pool<null>;
  jwt: JwtKeys;
  identify: Identify;
  /** The `[auth]` table of config.toml. */
  settings: Config["auth"];
  /** The `iss` of every access token. */
  issuer: string;
  log: Logger;
  passwords: Passwords;
  mailer: Mailer;
  /** Null without a hook; then phone sign-in and phone factors are off. */
  sms: SmsSender | null;
  redirects: Redirects;
  providers: Providers;
  /** True if SAML metadata may be fetched from private addresses. */
  privateNetworks: boolean;
  /** The shortest time of a response that must not reveal if an account exists, in milliseconds. */
  minimumMs: number;
}

/** One request to an endpoint. */
export interface Call {
  auth: AuthContext;
  request: Request;
  /** The client address, as determined by the server in front. */
  address: string;
  /** Path parameters by name. */
  params: Readonly<Record<string, string>>;
}

/** The audience of every account and access token. */
export const AUDIENCE = "authenticated";

/** Returns a path parameter, which must be a UUID, in lower case; `label` names it in the 404 for other text. */
export function uuidOfPath({ params }: Call, name: string, label: string): string {
  const id = uuid.safeParse(params[name]);
  if (!id.success) throw new AuthError(404, "validation_failed", `${label} must be an UUID`);
  return id.data.toLowerCase();
}
