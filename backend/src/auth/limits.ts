import { createHash } from "node:crypto";
import { clientNetwork } from "../client-network.ts";
import type { Transaction } from "../db/database.ts";
import {
  bookRequest,
  GUESS_LIMIT,
  messageLimits,
  requestLimit,
  secondsToWait,
  UNKNOWN_ADDRESS_LIMIT,
  type RequestLimit,
} from "../rate-limits.ts";
import type { Address } from "./accounts/addresses.ts";
import type { AuthContext, Call } from "./context.ts";
import { AuthError } from "./errors.ts";

type LimitContext = Pick<AuthContext, "database" | "limitTurns" | "settings">;

/** Counts a request against the limit of its client network. Fails with a 429. */
export async function limitRequest({ auth, address }: Call, name: RequestLimit): Promise<void> {
  const limit = requestLimit(name, auth.settings);
  await requireTurn(auth, (tx) => bookRequest(tx, limit, clientNetwork(address)));
}

/**
 * Runs the first transaction of a request, which also counts the request. Fails with a 429 and rolls `work` back. A server does not
 * wait for its disk unless `isSynced`, and then counts the request before, in a transaction of its own.
 */
export type CountedTransaction = <T>(work: (tx: Transaction) => Promise<T>, options: { isSynced: boolean }) => Promise<T>;

/**
 * Runs an endpoint that counts its request in its first transaction, which saves the embedded database a transaction and a sync.
 * If the endpoint fails before that transaction is committed, the request is counted by itself, unless another limit refused it.
 */
export async function limitInTransaction<T>(
  call: Call,
  name: RequestLimit,
  endpoint: (transaction: CountedTransaction) => Promise<T>,
): Promise<T> {
  const { database, settings } = call.auth;
  const limit = requestLimit(name, settings);
  let isDecided = false;

  async function book(tx: Transaction): Promise<void> {
    const wait = await bookRequest(tx, limit, clientNetwork(call.address));
    isDecided = wait > 0;
    if (wait > 0) throw requestLimitReached(wait);
  }

  try {
    return await endpoint(async (work, { isSynced }) => {
      // The count locks the row of the client network, so on a server it must not wait for the disk.
      if (isSynced && database.kind === "postgres") {
        isDecided = true;
        await limitRequest(call, name);
        return database.transaction(work);
      }
      const counted = async (tx: Transaction) => {
        // Sent together, which saves a round trip; the failure of one rolls the other back. A reached limit goes before other errors.
        const [booked, result] = await Promise.allSettled([book(tx), work(tx)]);
        if (isDecided && booked.status === "rejected") throw booked.reason;
        if (result.status === "rejected") throw result.reason;
        if (booked.status === "rejected") throw booked.reason;
        return result.value;
      };
      const result = await limitTransaction(call.auth, counted);
      isDecided = true;
      return result;
    });
  } catch (error) {
    const isRefused = error instanceof AuthError && error.status === 429;
    if (!isDecided && !isRefused) await limitRequest(call, name);
    throw error;
  }
}

/** Counts a guess at a code; `guessers` are those who are counted together. Fails with a 429. */
export async function limitCodeGuess(auth: LimitContext, guessers: string): Promise<void> {
  await requireTurn(auth, (tx) => bookRequest(tx, GUESS_LIMIT, guessers));
}

/**
 * Counts an answer that reveals that an address has no account; after ten of them, also addresses with an account get a 429
 * (decision 032).
 */
export async function limitUnknownAddresses({ auth, address }: Call, unknown: boolean): Promise<void> {
  const count = unknown ? bookRequest : secondsToWait;
  await requireTurn(auth, (tx) => count(tx, UNKNOWN_ADDRESS_LIMIT, clientNetwork(address)));
}

async function requireTurn(auth: LimitContext, count: (tx: Transaction) => Promise<number>): Promise<void> {
  const wait = await limitTransaction(auth, count);
  if (wait > 0) throw requestLimitReached(wait);
}

const MESSAGE_ERRORS = {
  email: ["over_email_send_rate_limit", "email rate limit exceeded"],
  sms: ["over_sms_send_rate_limit", "SMS rate limit exceeded"],
} as const;

/**
 * Counts a message against the limit of its address and purpose, and against the limit of the project if `sent`; also against the
 * limit of the client network of `client`, which callers without an account pass, so that nobody uses up the limit of the project.
 * The result does not depend on whether the address has an account. `interval` (seconds) replaces the one of the channel.
 * Fails with a 429.
 */
export async function limitMessage(
  auth: LimitContext,
  address: Address,
  message: { purpose: string; sent: boolean; client?: string; interval?: number },
): Promise<void> {
  const channel = address.channel === "email" ? "email" : "sms";
  const limits = messageLimits(channel, message.purpose, auth.settings);
  const perAddress = { ...limits.address, interval: message.interval ?? limits.address.interval };
  const [code, projectMessage] = MESSAGE_ERRORS[channel];
  const error = await limitTransaction(auth, async (tx) => {
    if (message.client !== undefined) {
      const full = await bookRequest(tx, limits.network, clientNetwork(message.client));
      if (full > 0) return tooMany(code, projectMessage, full);
    }
    const tooSoon = await bookRequest(tx, perAddress, hashAddress(address.value));
    if (tooSoon > 0) return tooMany(code, `For security purposes, you can only request this after ${tooSoon} seconds.`, tooSoon);
    const wait = await (message.sent ? bookRequest : secondsToWait)(tx, limits.project, "");
    return wait > 0 ? tooMany(code, projectMessage, wait) : undefined;
  });
  if (error) throw error;
}

/**
 * Runs a transaction for the limits. They take turns, so that other work waits for a few of them at most, however many requests there are.
 * A server does not wait for its disk: the work of the request syncs the count too, and a crash loses at most the counts of a second.
 */
export function limitTransaction<T>(
  { database, limitTurns }: LimitContext,
  work: (tx: Transaction) => Promise<T>,
  { readOnly = false } = {},
): Promise<T> {
  // The embedded database has no background writer, so it syncs every commit.
  const isAsync = database.kind === "postgres" && !readOnly;
  return limitTurns.use(() =>
    database.transaction(
      (tx) => {
        // Not awaited, so that it travels with the first statement; a failure fails the commit.
        if (isAsync) void tx.query("set local synchronous_commit = off");
        return work(tx);
      },
      { readOnly },
    ),
  );
}

// The table of limits must not store addresses of people without an account.
function hashAddress(address: string): string {
  return createHash("sha224").update(address).digest("base64url");
}

/** Returns the 429 of a request limit. */
export function requestLimitReached(seconds: number): AuthError {
  return tooMany("over_request_rate_limit", "Request rate limit reached", seconds);
}

function tooMany(code: string, message: string, seconds: number): AuthError {
  return new AuthError(429, code, message, { headers: { "Retry-After": String(seconds) } });
}
