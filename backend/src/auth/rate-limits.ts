import { clientNetwork } from "./client-address.ts";
import type { Call } from "./context.ts";
import { AuthError } from "./errors.ts";

/** Seconds until one more request is allowed once the burst is spent: 150 or 30 in 5 minutes, 30 in an hour, 15 a minute. */
const LIMITS = { token: 2, signup: 10, user: 10, setup: 10, anonymous: 120, factor_challenge: 4, factor_verify: 4 } as const;

/** The name of a limit, as the route table says it. */
export type RateLimit = keyof typeof LIMITS;

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
  const values = [name, clientNetwork(address), LIMITS[name], BURST];
  const wait = await auth.database.transaction(async (tx) => {
    const [booked] = await tx.query<{ first: boolean }>(BOOK, values);
    if (booked?.first) await tx.query(FORGET_OTHERS);
    if (booked) return 0;
    const [row] = await tx.query<{ seconds: number }>(SECONDS_TO_WAIT, values);
    return Math.max(1, row?.seconds ?? 1);
  });
  if (wait === 0) return;
  throw new AuthError(429, "over_request_rate_limit", "Request rate limit reached", { headers: { "Retry-After": String(wait) } });
}
