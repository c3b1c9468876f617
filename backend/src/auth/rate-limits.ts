import type { Transaction } from "../db/database.ts";
import { clientNetwork } from "../client-network.ts";
import type { AuthContext, Call } from "./context.ts";
import { AuthError } from "./errors.ts";

/** Seconds until one more request is allowed once the burst is spent. */
const INTERVALS = {
  token: (limits: Limits) => FIVE_MINUTES / limits.token_refresh,
  signup: (limits: Limits) => FIVE_MINUTES / limits.sign_in_sign_ups,
  otp: (limits: Limits) => FIVE_MINUTES / limits.sign_in_sign_ups,
  recover: (limits: Limits) => FIVE_MINUTES / limits.sign_in_sign_ups,
  resend: (limits: Limits) => FIVE_MINUTES / limits.sign_in_sign_ups,
  user: (limits: Limits) => FIVE_MINUTES / limits.sign_in_sign_ups,
  verify: (limits: Limits) => FIVE_MINUTES / limits.token_verifications,
  anonymous: (limits: Limits) => HOUR / limits.anonymous_users,
  sso: (limits: Limits) => FIVE_MINUTES / limits.sign_in_sign_ups,
  authorize: (limits: Limits) => FIVE_MINUTES / limits.sign_in_sign_ups,
  saml_acs: () => 4,
  setup: () => 10,
  factor_challenge: () => 4,
  factor_verify: () => 4,
};

type Limits = AuthContext["settings"]["rate_limit"];

const FIVE_MINUTES = 300;
const HOUR = 3600;

/** The name of a limit, as the route table says it. */
export type RateLimit = keyof typeof INTERVALS;

const BURST = 30;

// The leaky bucket as one time stamp (GCRA): a request books the next interval after those before it, and is refused
// when its booking would end further ahead than a whole burst.
const BOOK = `insert into auth.rate_limits as kept (name, client, filled_until)
  values ($1, $2, now() + $3::float8 * interval '1 second')
  on conflict (name, client) do update
    set filled_until = greatest(kept.filled_until, now()) + $3::float8 * interval '1 second'
    where kept.filled_until <= now() + $3::float8 * ($4::float8 - 1) * interval '1 second'
  returning xmax = 0 as first`;

const SECONDS_TO_WAIT = `select ceil(extract(epoch from filled_until - now())::float8 - $3::float8 * ($4::float8 - 1)) as seconds
  from auth.rate_limits where name = $1 and client = $2`;

const FORGET_OTHERS = `delete from auth.rate_limits where (name, client) in
  (select name, client from auth.rate_limits where filled_until < now() - interval '1 hour' limit 1000 for update skip locked)`;

/** Counts the call against its client's limit. Fails with a 429. */
export async function limitRate({ auth, address }: Call, name: RateLimit): Promise<void> {
  const interval = INTERVALS[name](auth.settings.rate_limit);
  const wait = await auth.database.transaction((tx) => book(tx, { name, client: clientNetwork(address), interval, burst: BURST }));
  if (wait > 0) throw tooMany("over_request_rate_limit", "Request rate limit reached", wait);
}

/** One bucket: whose it is, the seconds it takes to drain by one, and how many it holds. */
export interface Bucket {
  name: string;
  client: string;
  interval: number;
  burst: number;
}

/** Books one more; returns 0, or the seconds until it would fit. */
export async function book(tx: Transaction, { name, client, interval, burst }: Bucket): Promise<number> {
  const values = [name, client, interval, burst];
  const [booked] = await tx.query<{ first: boolean }>(BOOK, values);
  if (booked?.first) await tx.query(FORGET_OTHERS);
  if (booked) return 0;
  return secondsToWait(tx, { name, client, interval, burst });
}

/** Returns how many seconds a bucket that is full keeps one more waiting, at least one. */
export async function secondsToWait(tx: Transaction, { name, client, interval, burst }: Bucket): Promise<number> {
  const [row] = await tx.query<{ seconds: number }>(SECONDS_TO_WAIT, [name, client, interval, burst]);
  return Math.max(1, row?.seconds ?? 1);
}

/** Makes the refusal of a client that has to wait. */
export function tooMany(code: string, message: string, seconds: number): AuthError {
  return new AuthError(429, code, message, { headers: { "Retry-After": String(seconds) } });
}
