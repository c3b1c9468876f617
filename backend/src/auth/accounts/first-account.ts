import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { requireEmail } from "./addresses.ts";
import { audit } from "../audit.ts";
import type { AuthContext, Call } from "../context.ts";
import { text } from "../body-fields.ts";
import { AuthError } from "../errors.ts";
import { readJson } from "../../body/read-json.ts";
import { tokenResponse } from "../tokens/token-response.ts";
import { requireStrongPassword } from "./password-policy.ts";
import { openSession, type Grant } from "../tokens/sessions.ts";
import { insertUser, type NewUser } from "./user-changes.ts";

const TOKEN_LIFETIME = "1 hour";

const bodySchema = z.object({ token: text, email: text, password: text });

/** Creates a set-up token and stores its hash; returns null if an account exists. */
export async function createSetupToken(auth: AuthContext): Promise<string | null> {
  const token = randomBytes(32).toString("base64url");
  return auth.database.transaction(async (tx) => {
    if (!(await lockEmptyUsers(tx))) return null;
    await tx.query("delete from auth.setup_tokens where expires_at <= now()");
    await tx.query("insert into auth.setup_tokens (token_hash, expires_at) values ($1, now() + $2::text::interval)", [
      sha256(token),
      TOKEN_LIFETIME,
    ]);
    return token;
  });
}

/** `POST setup`, an addition to the API: creates the first account with a set-up token and signs it in. */
export async function setup(call: Call): Promise<Response> {
  const { token, email, password } = await readJson(call.request, bodySchema);
  return tokenResponse(call.auth, await spendSetupToken(call, token, { email, password }));
}

interface GivenAccount {
  email: string;
  password: string;
}

async function spendSetupToken(call: Call, token: string, given: GivenAccount): Promise<Grant> {
  const { auth } = call;
  const hash = sha256(token);
  // Checked twice: a wrong token must not cost a password hash, and the lock must not be held during hashing.
  const known = await auth.database.transaction((tx) => isValid(tx, hash), { readOnly: true });
  if (!known) throw invalidToken();
  const account = await newAccount(auth, given);
  return auth.database.transaction(async (tx) => {
    if (!(await lockEmptyUsers(tx)) || !(await isValid(tx, hash))) throw invalidToken();
    await tx.query("delete from auth.setup_tokens");
    const user = await insertUser(tx, account);
    await audit(tx, call, "user_signedup", user, { by: "setup" });
    return openSession(tx, call, user.id, "password");
  });
}

/** Creates the first account; returns false if an account exists. Fails with an `AuthError` for invalid input. */
export async function ensureStaff(auth: AuthContext, given: GivenAccount): Promise<boolean> {
  // Checked twice, so that a start with accounts costs no password hash.
  if (await auth.database.transaction(hasUsers, { readOnly: true })) return false;
  const account = await newAccount(auth, given);
  return auth.database.transaction(async (tx) => {
    if (!(await lockEmptyUsers(tx))) return false;
    await tx.query("delete from auth.setup_tokens");
    const user = await insertUser(tx, account);
    await audit(tx, { address: "" }, "user_signedup", user, { by: "environment" });
    return true;
  });
}

async function newAccount(auth: AuthContext, { email, password }: GivenAccount): Promise<NewUser> {
  const address = requireEmail(email);
  requireStrongPassword(password, auth.settings);
  return { email: address, passwordHash: await auth.passwords.hash(password), emailConfirmed: true };
}

/** Returns true if no account exists, and locks the table so that none is created before the transaction ends. */
async function lockEmptyUsers(tx: Transaction): Promise<boolean> {
  if (await hasUsers(tx)) return false;
  await tx.query("lock table auth.users in share row exclusive mode");
  return !(await hasUsers(tx));
}

async function hasUsers(tx: Transaction): Promise<boolean> {
  return (await tx.query("select from auth.users limit 1")).length > 0;
}

async function isValid(tx: Transaction, hash: string): Promise<boolean> {
  return (await tx.query("select from auth.setup_tokens where token_hash = $1 and expires_at > now()", [hash])).length > 0;
}

function invalidToken(): AuthError {
  return new AuthError(403, "otp_expired", "Email link is invalid or has expired");
}

function sha256(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
