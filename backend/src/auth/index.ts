import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { DatabaseError, type Database } from "../db/database.ts";
import type { Identify } from "../identity.ts";
import type { JwtKeys } from "../jwt.ts";
import { createUser } from "./admin/create-user.ts";
import { deleteFactor } from "./admin/delete-factor.ts";
import { deleteUser } from "./admin/delete-user.ts";
import { getFactors } from "./admin/get-factors.ts";
import { getUserById } from "./admin/get-user-by-id.ts";
import { getUsers } from "./admin/get-users.ts";
import { updateUserById } from "./admin/update-user-by-id.ts";
import { requireAdmin, requireCaller, requireMember, type Caller, type Member } from "./bearer.ts";
import type { AuthContext, Call } from "./context.ts";
import { AuthError, errorResponse, validationFailed } from "./errors.ts";
import { challengeFactor } from "./factors/challenge-factor.ts";
import { enrollFactor } from "./factors/enroll-factor.ts";
import { unenrollFactor } from "./factors/unenroll-factor.ts";
import { verifyFactor } from "./factors/verify-factor.ts";
import { createSetupToken, ensureStaff } from "./first-account.ts";
import { getUser } from "./get-user.ts";
import { health } from "./health.ts";
import { keySet } from "./key-set.ts";
import { logout } from "./logout.ts";
import { createPasswords, OWASP_COST, type PasswordCost } from "./passwords.ts";
import { limitRate, type RateLimit } from "./rate-limits.ts";
import { getSettings } from "./settings.ts";
import { setup } from "./setup.ts";
import { signup } from "./signup.ts";
import { token } from "./token.ts";
import { updateUser } from "./update-user.ts";

/** What the auth API is made of. */
export interface AuthOptions {
  database: Database;
  jwt: JwtKeys;
  identify: Identify;
  config: Pick<Config, "auth">;
  /** The origin clients know us by. */
  siteUrl: string;
  log: Logger;
  /** The client's network address as the server in front knows it. */
  clientAddress: (request: Request) => string;
  /** What a password hash costs; OWASP's parameters unless given. */
  passwordCost?: PasswordCost;
}

/** The auth API, and what its process does at start. */
export interface Auth {
  /** Answers everything below `/auth/v1`. */
  fetch(request: Request): Promise<Response>;
  /** Makes a single-use token for `POST setup`, good for an hour; null when an account exists. */
  createSetupToken(): Promise<string | null>;
  /** Makes the first account while there is none, and says whether it did. */
  ensureStaff(account: { email: string; password: string }): Promise<boolean>;
}

/** Makes the auth API on a migrated database. */
export function createAuth(options: AuthOptions): Auth {
  const { database, jwt, identify, config, siteUrl, log, clientAddress } = options;
  const issuer = new URL("/auth/v1", siteUrl).href;
  const passwords = createPasswords(options.passwordCost ?? OWASP_COST);
  const auth: AuthContext = { database, jwt, identify, settings: config.auth, issuer, log, passwords };

  // The four guards; a limit counts requests by client, after the guard has let them through.
  type Handler = (c: Context) => Promise<Response>;
  const callOf = (c: Context): Call => ({ auth, request: c.req.raw, address: clientAddress(c.req.raw), params: c.req.param() });
  const open = (endpoint: (call: Call) => Promise<Response>, limit?: RateLimit): Handler => {
    return async (c) => {
      const call = callOf(c);
      if (limit) await limitRate(call, limit);
      return endpoint(call);
    };
  };
  const user = (endpoint: (call: Call, caller: Caller) => Promise<Response>, limit?: RateLimit): Handler => {
    return async (c) => {
      const call = callOf(c);
      const caller = await requireCaller(call);
      if (limit) await limitRate(call, limit);
      return endpoint(call, caller);
    };
  };
  const member = (endpoint: (call: Call, member: Member) => Promise<Response>, limit?: RateLimit): Handler =>
    user((call, caller) => endpoint(call, requireMember(caller)), limit);
  const admin = (endpoint: (call: Call) => Promise<Response>): Handler => {
    return async (c) => {
      const call = callOf(c);
      await requireAdmin(call);
      return endpoint(call);
    };
  };

  const app = new Hono().basePath("/auth/v1");
  app.use(cors(CORS));
  app.get("/health", open(health));
  app.get("/settings", open(getSettings));
  app.get("/.well-known/jwks.json", open(keySet));
  app.post("/signup", open(signup, "signup"));
  app.post("/token", open(token, "token"));
  app.post("/setup", open(setup, "setup"));
  app.post("/logout", user(logout));
  app.get("/user", user(getUser));
  app.put("/user", user(updateUser, "user"));
  app.post("/factors", member(enrollFactor));
  app.post("/factors/:factor/challenge", member(challengeFactor, "factor_challenge"));
  app.post("/factors/:factor/verify", member(verifyFactor, "factor_verify"));
  app.delete("/factors/:factor", member(unenrollFactor));
  app.get("/admin/users", admin(getUsers));
  app.post("/admin/users", admin(createUser));
  app.get("/admin/users/:id", admin(getUserById));
  app.put("/admin/users/:id", admin(updateUserById));
  app.delete("/admin/users/:id", admin(deleteUser));
  app.get("/admin/users/:id/factors", admin(getFactors));
  app.delete("/admin/users/:id/factors/:factor", admin(deleteFactor));
  app.notFound((c) => errorResponse(new AuthError(404, "unknown", "Not found"), c.req.raw));
  app.onError((error, c) => respondTo(error, c.req.raw, log));

  return {
    fetch: async (request) => app.fetch(request),
    createSetupToken: () => createSetupToken(auth),
    ensureStaff: (account) => ensureStaff(auth, account),
  };
}

// Credentials are allowed as by GoTrue, which does not help a foreign page: no cookie is read here.
const CORS: Parameters<typeof cors>[0] = {
  origin: "*",
  credentials: true,
  allowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: ["Authorization", "Content-Type", "apikey", "X-Client-Info", "X-Client-IP", "X-JWT-AUD", "X-Supabase-Api-Version"],
  exposeHeaders: ["X-Total-Count", "Link", "X-Supabase-Api-Version"],
};

/** SQLSTATEs of text Postgres cannot keep: a NUL, or half of a surrogate pair in JSON. */
const UNSTORABLE_TEXT = new Set(["22021", "22P02", "22P05"]);

function respondTo(error: Error, request: Request, log: Logger): Response {
  if (error instanceof AuthError) return errorResponse(error, request);
  if (error instanceof DatabaseError && UNSTORABLE_TEXT.has(error.code))
    return errorResponse(validationFailed("The request contains text that cannot be stored"), request);
  const errorId = crypto.randomUUID();
  // Not the error itself: a database's detail repeats the values of the row.
  const { name, stack } = error;
  log.error({ errorId, error: { name, stack, code: error instanceof DatabaseError ? error.code : undefined } }, "auth request failed");
  return errorResponse(
    new AuthError(500, "unexpected_failure", "Unexpected failure, please check server logs for more information"),
    request,
    errorId,
  );
}
