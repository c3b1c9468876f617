import { createHash } from "node:crypto";
import type { AuthContext } from "./context.ts";
import { book, type Bucket, secondsToWait, tooMany } from "./rate-limits.ts";

const HOUR = 3600;

const CHANNELS = {
  email: { code: "over_email_send_rate_limit", full: "email rate limit exceeded", perHour: "email_sent" },
  sms: { code: "over_sms_send_rate_limit", full: "SMS rate limit exceeded", perHour: "sms_sent" },
} as const;

/**
 * Counts a message against the interval (in seconds; the channel's unless given) for its address and purpose, and where
 * one will be sent against the limit of all.
 * Whether the address has an account makes no difference to the answer. Fails with a 429.
 */
export async function limitMessage(
  auth: AuthContext,
  channel: keyof typeof CHANNELS,
  message: { address: string; purpose: string; sent: boolean; interval?: number },
): Promise<void> {
  const { code, full, perHour } = CHANNELS[channel];
  const ofAddress: Bucket = {
    name: `${channel}:${message.purpose}`,
    client: hashAddress(message.address),
    interval: message.interval ?? auth.settings[channel].max_frequency,
    burst: 1,
  };
  const burst = auth.settings.rate_limit[perHour];
  const ofAll: Bucket = { name: channel, client: "", interval: HOUR / burst, burst };
  const refusal = await auth.database.transaction(async (tx) => {
    const tooSoon = ofAddress.interval === 0 ? 0 : await book(tx, ofAddress);
    if (tooSoon > 0) return tooMany(code, `For security purposes, you can only request this after ${tooSoon} seconds.`, tooSoon);
    const wait = message.sent ? await book(tx, ofAll) : await waitForRoom(tx, ofAll);
    return wait > 0 ? tooMany(code, full, wait) : undefined;
  });
  if (refusal) throw refusal;
}

async function waitForRoom(tx: Parameters<typeof book>[0], bucket: Bucket): Promise<number> {
  const [row] = await tx.query<{ full: boolean }>(
    `select filled_until > now() + $3::float8 * ($4::float8 - 1) * interval '1 second' as full
      from auth.rate_limits where name = $1 and client = $2`,
    [bucket.name, bucket.client, bucket.interval, bucket.burst],
  );
  return row?.full ? secondsToWait(tx, bucket) : 0;
}

const GUESSES: Pick<Bucket, "interval" | "burst"> = { interval: 10, burst: 30 };

/** Counts a guess at a code against the address it was sent to, so that many clients together guess no faster. Fails with a 429. */
export async function limitGuesses({ database }: AuthContext, address: string): Promise<void> {
  const bucket: Bucket = { name: "verify:address", client: hashAddress(address), ...GUESSES };
  const wait = await database.transaction((tx) => book(tx, bucket));
  if (wait > 0) throw tooMany("over_request_rate_limit", "Request rate limit reached", wait);
}

// Not the address itself: it may be one that nobody here has agreed to keep.
function hashAddress(address: string): string {
  return createHash("sha224").update(address).digest("base64url");
}
