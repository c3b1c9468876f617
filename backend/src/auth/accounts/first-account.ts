import { createHash, randomBytes } from "node:crypto";
import type { Transaction } from "../../db/database.ts";
import { requireEmail } from "./addresses.ts";
import { audit } from "../audit.ts";
import type { AuthContext, Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { requireStrongPassword } from "./password-policy.ts";
import { openSession, type Grant } from "../tokens/sessions.ts";
import { insertUser, type NewUser } from "./user-changes.ts";

const HOLDS_FOR = "1 hour";

/** Stores the hash of a fresh set-up token and returns the token; null when an account exists. */
export async function createSetupToken(auth: AuthContext): Promise<string | null> {
  const token = randomBytes(32).toString("base64url");
  return auth.database.transaction(async (tx) => {
    if (!(await holdEmptyUsers(tx))) return null;
    await tx.query("delete from auth.setup_tokens where expires_at <= now()");
    await tx.query("insert into auth.setup_tokens (token_hash, expires_at) values ($1, now() + $2::text::interval)", [
      sha256(token),
      HOLDS_FOR,
    ]);
    return token;
  });
}

interface GivenAccount {
  email: string;
  password: string;
}

/** Makes the account in exchange for a set-up token and opens its first session. Fails with an `AuthError`. */
export async function spendSetupToken(call: Call, token: string, given: GivenAccount): Promise<Grant> {
  const { auth } = call;
  const hash = sha256(token);
  // Asked twice: a stranger's guess must not cost a password hash, and the lock must not be held while hashing.
  const known = await auth.database.transaction((tx) => isGood(tx, hash), { readOnly: true });
  if (!known) throw invalidToken();
  const account = await newAccount(auth, given);
  return auth.database.transaction(async (tx) => {
    if (!(await holdEmptyUsers(tx)) || !(await isGood(tx, hash))) throw invalidToken();
    await tx.query("delete from auth.setup_tokens");
    const user = await insertUser(tx, account);
    await audit(tx, call, "user_signedup", user, { by: "setup" });
    return openSession(tx, call, user.id, "password");
  });
}

/** Makes the first account while there is none, and says whether it did. Fails with an `AuthError` on an unusable one. */
export async function ensureStaff(auth: AuthContext, given: GivenAccount): Promise<boolean> {
  // Asked twice, so that a start with accounts costs no hash.
  if (await auth.database.transaction(hasUsers, { readOnly: true })) return false;
  const account = await newAccount(auth, given);
  return auth.database.transaction(async (tx) => {
    if (!(await holdEmptyUsers(tx))) return false;
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

/** Says whether there is no account, and lets nobody else make one before the transaction ends. */
async function holdEmptyUsers(tx: Transaction): Promise<boolean> {
  if (await hasUsers(tx)) return false;
  await tx.query("lock table auth.users in share row exclusive mode");
  return !(await hasUsers(tx));
}

async function hasUsers(tx: Transaction): Promise<boolean> {
  return (await tx.query("select from auth.users limit 1")).length > 0;
}

async function isGood(tx: Transaction, hash: string): Promise<boolean> {
  return (await tx.query("select from auth.setup_tokens where token_hash = $1 and expires_at > now()", [hash])).length > 0;
}

function invalidToken(): AuthError {
  return new AuthError(403, "otp_expired", "Email link is invalid or has expired");
}

function sha256(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
