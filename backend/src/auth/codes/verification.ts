import type { Transaction } from "../../db/database.ts";
import { audit } from "../audit.ts";
import type { AuthContext, Call } from "../context.ts";
import type { Address } from "../accounts/addresses.ts";
import { confirmEmailChange } from "../accounts/email-change.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { spendToken, type SpentToken, type TokenName, type TokenType } from "./one-time-tokens.ts";
import { updateUser } from "../accounts/user-changes.ts";
import { isBanned, lockUser, type User } from "../accounts/users.ts";

/** The token types that each verification type accepts. */
const TYPES: Readonly<Record<Address["channel"], Readonly<Record<string, readonly TokenType[]>>>> = {
  email: {
    signup: ["confirmation_token"],
    invite: ["confirmation_token"],
    magiclink: ["recovery_token"],
    recovery: ["recovery_token"],
    email: ["confirmation_token", "recovery_token"],
    email_change: ["email_change_token_current", "email_change_token_new"],
  },
  phone: { sms: ["confirmation_token"], phone_change: ["phone_change_token"] },
};

/** A code or link that a client presents. */
export interface Proof {
  type: string;
  name: TokenName;
  channel: Address["channel"];
}

const EXPIRED = "otp_expired";

/** Fails with a 400 for a verification type that the channel does not have. */
export function requireType(type: string, channel: Proof["channel"]): void {
  if (type === "") throw validationFailed("Verify requires a verification type");
  if (Object.hasOwn(TYPES[channel], type)) return;
  throw validationFailed(channel === "email" ? "Invalid email verification type" : "Unsupported verification type");
}

/**
 * Uses up a proof, applies its effect and runs `finish` in the same transaction; returns "half" if an email change waits for the
 * second confirmation. A refusal is recorded in the audit log. Fails with an `AuthError`.
 */
export async function acceptProof<T>(call: Call, proof: Proof, finish: (tx: Transaction, user: User) => Promise<T>): Promise<T | "half"> {
  const { database } = call.auth;
  try {
    return await database.transaction(async (tx) => {
      const user = await spendProof(tx, call, proof);
      return user ? finish(tx, user) : "half";
    });
  } catch (error) {
    // In a new transaction, because the work was rolled back.
    if (error instanceof AuthError && error.code === EXPIRED)
      await database.transaction((tx) => audit(tx, call, "login_failed", "unknown", { type: proof.type }));
    throw error;
  }
}

async function spendProof(tx: Transaction, call: Call, proof: Proof): Promise<User | undefined> {
  const { auth } = call;
  const types = TYPES[proof.channel][proof.type] ?? [];
  const lifetimeSeconds = auth.settings[proof.channel === "email" ? "email" : "sms"].otp_expiry;
  const spent = await spendToken(tx, auth, proof.name, { types, lifetimeSeconds });
  const user = spent && (await lockUser(tx, spent.user_id));
  if (!spent || !user || !provesAddress(spent, user))
    throw new AuthError(403, EXPIRED, "hash" in proof.name ? "Email link is invalid or has expired" : "Token has expired or is invalid");
  if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
  const granted = await grant(tx, auth, user, spent);
  await audit(tx, call, "user_verified", granted ?? user, { type: proof.type });
  return granted;
}

/** Returns true if the token was sent to a current address of the account; any other token proves nothing. */
function provesAddress({ token_type: type, relates_to: address }: SpentToken, user: User): boolean {
  if (type === "email_change_token_new") return address === user.email_change;
  if (type === "phone_change_token") return address === user.phone_change;
  return address === user.email || address === user.phone;
}

async function grant(tx: Transaction, auth: AuthContext, user: User, spent: SpentToken): Promise<User | undefined> {
  switch (spent.token_type) {
    case "email_change_token_current":
    case "email_change_token_new":
      return confirmEmailChange(tx, auth, user);
    case "phone_change_token":
      await tx.query("update auth.users set phone_change = '' where id = $1", [user.id]);
      return updateUser(tx, user, { phone: spent.relates_to, confirmPhone: true, permanent: true });
    default:
      return confirm(tx, user, spent);
  }
}

async function confirm(tx: Transaction, user: User, { token_type: type, relates_to: address }: SpentToken): Promise<User> {
  if (address === user.phone) return user.phone_confirmed_at ? user : updateUser(tx, user, { confirmPhone: true });
  if (user.email_confirmed_at) return user;
  // A password that was set before the address was proven may come from somebody else.
  if (type === "recovery_token") await tx.query("update auth.users set encrypted_password = null where id = $1", [user.id]);
  return updateUser(tx, user, { confirmEmail: true });
}
