import type { Config } from "./config/config.ts";
import type { Transaction } from "./db/database.ts";

/** At most `burst` requests at once; one more is allowed every `interval` seconds. An interval of 0 means no limit. */
interface RateLimit {
  name: string;
  interval: number;
  burst: number;
}

type Settings = Config["auth"];

const FIVE_MINUTES = 300;
const HOUR = 3600;
const BURST = 30;

const signIns = ({ rate_limit }: Settings): number => FIVE_MINUTES / rate_limit.sign_in_sign_ups;

/** The seconds between two requests of one client network, by the name that the route tables use. */
const REQUEST_INTERVALS = {
  token: ({ rate_limit }: Settings) => FIVE_MINUTES / rate_limit.token_refresh,
  verify: ({ rate_limit }: Settings) => FIVE_MINUTES / rate_limit.token_verifications,
  anonymous: ({ rate_limit }: Settings) => HOUR / rate_limit.anonymous_users,
  signup: signIns,
  otp: signIns,
  recover: signIns,
  resend: signIns,
  user: signIns,
  sso: signIns,
  authorize: signIns,
  saml_acs: () => 4,
  setup: () => 10,
  factor_challenge: () => 4,
  factor_verify: () => 4,
};

/** The name of a limit that counts requests by client network. */
export type RequestLimit = keyof typeof REQUEST_INTERVALS;

/** Returns the limit of one kind of request for one client network. */
export function requestLimit(name: RequestLimit, settings: Settings): RateLimit {
  return { name, interval: REQUEST_INTERVALS[name](settings), burst: BURST };
}

/** Limits guesses at codes; 750 at the same code of six digits in a day succeed less often than once in a thousand times. */
export const GUESS_LIMIT: RateLimit = { name: "code:guess", interval: 120, burst: BURST };

/** Limits the mails about failed guesses by the password or factor that was guessed. */
export const GUESSES_MAIL_LIMIT: RateLimit = { name: "guesses:mail", interval: 24 * HOUR, burst: 1 };

/** Limits the answers that reveal that an address has no account, by client network. */
export const UNKNOWN_ADDRESS_LIMIT: RateLimit = { name: "otp:unknown", interval: 360, burst: 10 };

/**
 * The limits of messages: one per address and purpose, one for the whole project per hour, and a third of that for the messages that
 * callers of one client network cause who are not signed in.
 */
export function messageLimits(
  channel: "email" | "sms",
  purpose: string,
  { email, sms, rate_limit }: Settings,
): { address: RateLimit; network: RateLimit; project: RateLimit } {
  const perHour = channel === "email" ? rate_limit.email_sent : rate_limit.sms_sent;
  return {
    address: { name: `${channel}:${purpose}`, interval: { email, sms }[channel].max_frequency, burst: 1 },
    network: { name: `${channel}:network`, interval: (3 * HOUR) / perHour, burst: Math.ceil(perHour / 3) },
    project: { name: channel, interval: HOUR / perHour, burst: perHour },
  };
}

// The seconds until the bucket is empty. A bucket cannot contain more than `burst` intervals: if it does, the clock was set back,
// and it counts as empty. clock_timestamp() and not now(), which may be earlier than the booking of a concurrent transaction.
const FILLED = `case when bucket.filled_until > clock_timestamp() + ($3::float8 * $4::float8 + 1) * interval '1 second' then 0
  else greatest(0, extract(epoch from bucket.filled_until - clock_timestamp())::float8) end`;

// Generic cell rate algorithm: `filled_until` is the time when the bucket is empty again. Each request adds one interval.
const BOOK = `insert into auth.rate_limits as bucket (name, client, filled_until)
  values ($1, $2, clock_timestamp() + $3::float8 * interval '1 second')
  on conflict (name, client) do update set filled_until = clock_timestamp() + (${FILLED} + $3::float8) * interval '1 second'
    where ${FILLED} <= $3::float8 * ($4::float8 - 1)
  returning true`;

const SECONDS_TO_WAIT = `select ceil(${FILLED} - $3::float8 * ($4::float8 - 1)) as seconds
  from auth.rate_limits as bucket where name = $1 and client = $2`;

/** Counts one request of a client; returns 0, or the seconds until the client may try again. */
export async function bookRequest(tx: Transaction, limit: RateLimit, client: string): Promise<number> {
  if (limit.interval === 0) return 0;
  const [booked] = await tx.query(BOOK, [limit.name, client, limit.interval, limit.burst]);
  return booked ? 0 : Math.max(1, await secondsToWait(tx, limit, client));
}

/** Returns the seconds until a client may send one more request, 0 for now, without counting one. */
export async function secondsToWait(tx: Transaction, { name, interval, burst }: RateLimit, client: string): Promise<number> {
  const [row] = await tx.query<{ seconds: number }>(SECONDS_TO_WAIT, [name, client, interval, burst]);
  return Math.max(0, row?.seconds ?? 0);
}
