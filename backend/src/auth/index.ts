import { Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { routePath } from "hono/route";
import { timeout } from "hono/timeout";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Connection } from "../connection.ts";
import type { Database } from "../db/database.ts";
import { createTurns } from "../db/in-turns.ts";
import type { Identify } from "../identity.ts";
import type { Job } from "../jobs.ts";
import type { JwtKeys } from "../jwt/jwt.ts";
import { deleteFactor, getFactors } from "./admin/factors.ts";
import { generateLink } from "./admin/generate-link.ts";
import { invite } from "./admin/invite.ts";
import { createUser, deleteUser, getUserById, getUsers, signOutUser, updateUserById } from "./admin/users.ts";
import { cleanUpJob } from "./clean-up.ts";
import type { AuthContext } from "./context.ts";
import { AuthError, errorResponse, TIMED_OUT } from "./errors.ts";
import { challengeFactor } from "./factors/challenge-factor.ts";
import { enrollFactor } from "./factors/enroll-factor.ts";
import { unenrollFactor } from "./factors/unenroll-factor.ts";
import { verifyFactor } from "./factors/verify-factor.ts";
import { createSetupToken, ensureStaff, setup } from "./accounts/first-account.ts";
import { getUser, updateOwnUser } from "./accounts/own-user.ts";
import { createGuards } from "./guards.ts";
import { getSettings, health, keySet, passkeys, unsupportedFeature } from "./public-endpoints.ts";
import { createProviders } from "./external/providers.ts";
import { unlinkIdentity } from "./accounts/unlink-identity.ts";
import { logout } from "./tokens/logout.ts";
import { createMailer } from "./mail/mailer.ts";
import { createMailTransport, type MailEnvironment } from "./mail/transport.ts";
import { authorize, authorizeLink, callback, saml } from "./optional/index.ts";
import { otp } from "./codes/otp.ts";
import { MINIMUM_MS } from "./minimum-duration.ts";
import { createPasswords, OWASP_COST, type PasswordCost } from "./accounts/passwords.ts";
import { reauthenticate } from "./codes/reauthenticate.ts";
import { createRedirects } from "./redirect-allow-list.ts";
import { recover, resend } from "./codes/resend.ts";
import { signup } from "./accounts/signup.ts";
import { createSmsSender, type SmsHook } from "./sms.ts";
import { token } from "./tokens/token.ts";
import { verify, verifyLink } from "./codes/verify.ts";

export interface AuthOptions {
  database: Database;
  jwt: JwtKeys;
  identify: Identify;
  config: Pick<Config, "auth">;
  /** The public origin. */
  siteUrl: string;
  log: Logger;
  /** Replaces the mail server of config.toml; without either, mail stays in the outbox. */
  mail?: MailEnvironment;
  /** Replaces the hook of config.toml; without either, phone sign-in is off. */
  smsHook?: SmsHook | undefined;
  /** The cost of a password hash; OWASP's parameters by default. */
  passwordCost?: PasswordCost | undefined;
  /** True if SAML metadata may be fetched from private addresses; false by default. */
  privateNetworks?: boolean;
  /** The shortest time of a response that must not reveal if an account exists, in milliseconds; 150 by default. */
  minimumMs?: number;
  /** The time limit of a request in milliseconds; ten seconds by default. */
  timeoutMs?: number;
}

/** The auth API and its start-up tasks. */
export interface Auth {
  /** Answers requests below `/auth/v1`. */
  fetch(request: Request, connection: Connection): Promise<Response>;
  /** Creates a single-use token for `POST setup`, valid for an hour; null if an account exists. */
  createSetupToken(): Promise<string | null>;
  /** Creates the first account; returns false if an account exists. */
  ensureStaff(account: { email: string; password: string }): Promise<boolean>;
  jobs: readonly Job[];
  /** Ends the work that runs in the background. */
  close(): Promise<void>;
}

/** Creates the auth API on a migrated database. */
export function createAuth(options: AuthOptions): Auth {
  const { database, jwt, identify, config, siteUrl, log } = options;
  const settings = config.auth;
  const issuer = new URL("/auth/v1", siteUrl).href;
  const auth: AuthContext = {
    database,
    limitTurns: createTurns(database),
    jwt,
    identify,
    settings,
    issuer,
    log,
    passwords: createPasswords(options.passwordCost ?? OWASP_COST),
    mailer: createMailer(database, createMailTransport(options.mail ?? {}, settings.email.smtp, siteUrl), log),
    sms: createSmsSender(options.smsHook, settings.hook.send_sms, log),
    redirects: createRedirects(settings.site_url ?? siteUrl, settings.additional_redirect_urls),
    providers: createProviders(settings.external, issuer, log),
    privateNetworks: options.privateNetworks ?? false,
    minimumMs: options.minimumMs ?? MINIMUM_MS,
  };

  const { open, counted, user, member, admin } = createGuards(auth);
  const app = new Hono<{ Bindings: Connection }>().basePath("/auth/v1");
  app.use(reportRoute, timeout(options.timeoutMs ?? REQUEST_TIMEOUT_MS, TIMED_OUT));
  app.options("*", cors(CORS));
  for (const path of ["/passkeys", "/passkeys/*", "/admin/users/:id/passkeys", "/admin/users/:id/passkeys/*"])
    app.all(path, open(passkeys));
  for (const path of ["/oauth/*", "/user/oauth/*", "/admin/oauth/*", "/scim/*", "/admin/custom-providers", "/admin/custom-providers/*"])
    app.all(path, open(unsupportedFeature));
  app.get("/health", open(health));
  app.get("/settings", open(getSettings));
  app.get("/.well-known/jwks.json", open(keySet));
  app.post("/signup", open(signup, "signup"));
  app.post("/token", counted(token, "token"));
  app.post("/otp", open(otp, "otp"));
  app.post("/verify", open(verify, "verify"));
  app.get("/verify", open(verifyLink, "verify"));
  app.post("/recover", open(recover, "recover"));
  app.post("/resend", open(resend, "resend"));
  app.get("/reauthenticate", user(reauthenticate));
  app.post("/setup", open(setup, "setup"));
  app.post("/logout", user(logout));
  app.get("/user", user(getUser));
  app.put("/user", user(updateOwnUser, "user"));
  app.get("/authorize", open(authorize, "authorize"));
  app.get("/callback", open(callback));
  app.post("/callback", open(callback));
  app.get("/user/identities/authorize", user(authorizeLink, "authorize"));
  app.delete("/user/identities/:identity", user(unlinkIdentity));
  app.post("/sso", open(saml("startSso"), "sso"));
  app.get("/sso/saml/metadata", open(saml("serviceProviderMetadata")));
  app.post("/sso/saml/acs", open(saml("consumeAssertion"), "saml_acs"));
  app.post("/factors", member(enrollFactor));
  app.post("/factors/:factor/challenge", member(challengeFactor, "factor_challenge"));
  app.post("/factors/:factor/verify", member(verifyFactor, "factor_verify"));
  app.delete("/factors/:factor", member(unenrollFactor));
  app.post("/invite", admin(invite));
  app.post("/admin/generate_link", admin(generateLink));
  app.get("/admin/users", admin(getUsers));
  app.post("/admin/users", admin(createUser));
  app.get("/admin/users/:id", admin(getUserById));
  app.put("/admin/users/:id", admin(updateUserById));
  app.delete("/admin/users/:id", admin(deleteUser));
  app.post("/admin/users/:id/logout", admin(signOutUser));
  app.get("/admin/users/:id/factors", admin(getFactors));
  app.delete("/admin/users/:id/factors/:factor", admin(deleteFactor));
  app.get("/admin/sso/providers", admin(saml("getProviders")));
  app.post("/admin/sso/providers", admin(saml("createProvider")));
  app.get("/admin/sso/providers/:provider", admin(saml("getProvider")));
  app.put("/admin/sso/providers/:provider", admin(saml("updateProvider")));
  app.delete("/admin/sso/providers/:provider", admin(saml("deleteProvider")));
  app.notFound((c) => errorResponse(new AuthError(404, "unknown", "Not found"), c.req.raw, log));
  app.onError((error, c) => errorResponse(error, c.req.raw, log));

  return {
    async fetch(request, connection) {
      const response = await app.fetch(request, connection);
      addHeaders(response.headers);
      return response;
    },
    createSetupToken: () => createSetupToken(auth),
    ensureStaff: (account) => ensureStaff(auth, account),
    jobs: [cleanUpJob(auth)],
    close: auth.mailer.close,
  };
}

const REQUEST_TIMEOUT_MS = 10_000;

const reportRoute: MiddlewareHandler<{ Bindings: Connection }> = async (c, next) => {
  await next();
  c.env.onRoute?.(routePath(c));
};

// Credentials are allowed as in GoTrue. This gives a foreign page no access, because no cookie is read.
const CORS: Parameters<typeof cors>[0] = {
  origin: "*",
  credentials: true,
  allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: ["Authorization", "Content-Type", "apikey", "X-Client-Info", "X-Client-IP", "X-JWT-AUD", "X-Supabase-Api-Version"],
};

const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers": "X-Total-Count,Link,X-Supabase-Api-Version",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Lets pages of any origin read a response, and forbids caches to store it, unless it allows that itself, and browsers to guess its
 * type. Not as middleware: Hono copies the response each time that a middleware adds headers to it.
 */
function addHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
