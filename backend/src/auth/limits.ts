import { createHash } from "node:crypto";
import { clientNetwork } from "../client-network.ts";
import { bookRequest, GUESS_LIMIT, messageLimits, requestLimit, secondsToWait, type RequestLimit } from "../rate-limits.ts";
import type { Address } from "./accounts/addresses.ts";
import type { AuthContext, Call } from "./context.ts";
import { AuthError } from "./errors.ts";

type LimitContext = Pick<AuthContext, "database" | "settings">;

/** Counts a request against the limit of its client network, or of `client` if given. Fails with a 429. */
export async function limitRequest(call: Call, name: RequestLimit, client = clientNetwork(call.address)): Promise<void> {
  const { database, settings } = call.auth;
  const wait = await database.transaction((tx) => bookRequest(tx, requestLimit(name, settings), client));
  if (wait > 0) throw requestLimitReached(wait);
}

/** Counts a guess at a code against the address that the code was sent to, for all clients together. Fails with a 429. */
export async function limitGuesses({ database }: LimitContext, address: string): Promise<void> {
  const wait = await database.transaction((tx) => bookRequest(tx, GUESS_LIMIT, hashAddress(address)));
  if (wait > 0) throw requestLimitReached(wait);
}

const MESSAGE_ERRORS = {
  email: ["over_email_send_rate_limit", "email rate limit exceeded"],
  sms: ["over_sms_send_rate_limit", "SMS rate limit exceeded"],
} as const;

/**
 * Counts a message against the limit of its address and purpose, and against the limit of the project if `sent`.
 * The result does not depend on whether the address has an account. `interval` (seconds) replaces the one of the channel.
 * Fails with a 429.
 */
export async function limitMessage(
  { database, settings }: LimitContext,
  address: Address,
  message: { purpose: string; sent: boolean; interval?: number },
): Promise<void> {
  const channel = address.channel === "email" ? "email" : "sms";
  const limits = messageLimits(channel, message.purpose, settings);
  const perAddress = { ...limits.address, interval: message.interval ?? limits.address.interval };
  const [code, projectMessage] = MESSAGE_ERRORS[channel];
  const error = await database.transaction(async (tx) => {
    const tooSoon = await bookRequest(tx, perAddress, hashAddress(address.value));
    if (tooSoon > 0) return tooMany(code, `For security purposes, you can only request this after ${tooSoon} seconds.`, tooSoon);
    const wait = await (message.sent ? bookRequest : secondsToWait)(tx, limits.project, "");
    return wait > 0 ? tooMany(code, projectMessage, wait) : undefined;
  });
  if (error) throw error;
}

// The table of limits must not store addresses of people without an account.
function hashAddress(address: string): string {
  return createHash("sha224").update(address).digest("base64url");
}

function requestLimitReached(seconds: number): AuthError {
  return tooMany("over_request_rate_limit", "Request rate limit reached", seconds);
}

function tooMany(code: string, message: string, seconds: number): AuthError {
  return new AuthError(429, code, message, { headers: { "Retry-After": String(seconds) } });
}
