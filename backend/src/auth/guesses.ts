import { clientNetwork } from "../client-network.ts";
import type { Row, Transaction } from "../db/database.ts";
import { bookRequest, GUESSES_MAIL_LIMIT } from "../rate-limits.ts";
import type { Address } from "./accounts/addresses.ts";
import type { Call } from "./context.ts";
import type { AuthError } from "./errors.ts";
import { limitTransaction, requestLimitReached } from "./limits.ts";
import { renderMail } from "./mail/templates.ts";
import type { NoticeKind } from "./mail/wording.ts";

/** The target of a guess: the password of an address, or the code of a second factor. */
type Guessed = { password: Address } | { factor: string };

/** The account whose owner gets a mail. */
interface Owner {
  id: string;
  email: string | null;
}

/** The failures in a row after which each further attempt has to wait (decision 031). */
const FREE_FAILURES = 10;
const MAX_WAIT_SECONDS = 3600;
/** The time without an attempt after which failures are forgotten. */
const MEMORY = "1 day";

// clock_timestamp() and not now(), which may be earlier than an attempt that another transaction committed. A time in the
// future means that the clock was set back.
const WAIT = `case when failures < ${FREE_FAILURES} or last_attempt_at > clock_timestamp() then 0
  else extract(epoch from last_attempt_at - clock_timestamp())::float8
    + least(2 ^ least(failures - ${FREE_FAILURES}, 20), ${MAX_WAIT_SECONDS}) end`;

const REMEMBERED = `case when guess.last_attempt_at < clock_timestamp() - interval '${MEMORY}' then 0 else guess.failures end`;

// The empty network sorts last, so that a network with a row of its own is independent of all others.
const READ = `select network, failures, ${WAIT} as wait from auth.guesses where subject = $1 and network in ($2, '') order by network desc limit 1`;

// Only one of several concurrent attempts gets the turn.
const TAKE_TURN = `update auth.guesses as guess set last_attempt_at = clock_timestamp(), failures = ${REMEMBERED} where subject = $1 and network = $2 and ${WAIT} <= 0
  returning network`;

interface Guesses extends Row {
  network: string;
  failures: number;
  wait: number;
}

/** Returns a 429 if the caller's next guess has to wait; only reads. */
export async function readDelay(tx: Transaction, call: Call, guessed: Guessed): Promise<AuthError | undefined> {
  const { subject, network } = keysOf(call, guessed);
  const [row] = await tx.query<Guesses>(READ, [subject, network]);
  return row && row.wait > 0 ? delayError(row) : undefined;
}

/** Returns a 429 if the caller's next guess has to wait, without counting one; else takes the turn after a wait. */
export async function refuseGuess(tx: Transaction, call: Call, guessed: Guessed): Promise<AuthError | undefined> {
  const { subject, network } = keysOf(call, guessed);
  const [row] = await tx.query<Guesses>(READ, [subject, network]);
  if (!row || row.failures < FREE_FAILURES) return undefined;
  if (row.wait <= 0 && (await tx.query(TAKE_TURN, [subject, row.network])).length > 0) return undefined;
  return delayError(row);
}

function delayError({ wait }: Guesses): AuthError {
  return requestLimitReached(Math.max(1, Math.ceil(wait)));
}

const COUNT_FAILURE = `insert into auth.guesses as guess (subject, network, failures, last_attempt_at)
  values ($1, coalesce((select network from auth.guesses where subject = $1 and network = $2), ''), 1, clock_timestamp())
  on conflict (subject, network) do update set last_attempt_at = clock_timestamp(),
    failures = ${REMEMBERED} + 1
  returning failures`;

/** Counts a wrong guess. The tenth in a row queues a mail to the owner, at most one a day. */
export async function countFailure(tx: Transaction, call: Call, guessed: Guessed, owner: Owner | undefined): Promise<void> {
  const { subject, network } = keysOf(call, guessed);
  const [counted] = await tx.query<{ failures: number }>(COUNT_FAILURE, [subject, network]);
  if (counted?.failures !== FREE_FAILURES || !owner?.email) return;
  if ((await bookRequest(tx, GUESSES_MAIL_LIMIT, subject)) > 0) return;
  const kind: NoticeKind = "factor" in guessed ? "factor_guesses" : "password_guesses";
  await call.auth.mailer.enqueue(tx, {
    userId: owner.id,
    kind,
    recipient: owner.email,
    content: renderMail(kind, { Email: owner.email, SiteURL: call.auth.redirects.siteUrl }),
  });
}

const COUNT_SUCCESS = `insert into auth.guesses (subject, network, last_attempt_at) values ($1, $2, clock_timestamp())
  on conflict (subject, network) do update set failures = 0, last_attempt_at = clock_timestamp()`;

/** Records a success: the caller's network now has failures of its own, starting at none. */
export async function countSuccess(tx: Transaction, call: Call, guessed: Guessed): Promise<void> {
  const { subject, network } = keysOf(call, guessed);
  await tx.query(COUNT_SUCCESS, [subject, network]);
}

/** Returns a key for those whose guesses at the codes of an address count together: a known network, or all others. */
export async function guessersOf(call: Call, address: Address): Promise<string> {
  const { subject, network } = keysOf(call, { password: address });
  const sql = "select from auth.guesses where subject = $1 and network = $2";
  const known = await limitTransaction(call.auth, (tx) => tx.query(sql, [subject, network]), { readOnly: true });
  return known.length > 0 ? `${subject} ${network}` : subject;
}

function keysOf({ auth, address }: Call, guessed: Guessed): { subject: string; network: string } {
  const name = "factor" in guessed ? `factor ${guessed.factor}` : `password ${guessed.password.channel} ${guessed.password.value}`;
  return { subject: auth.jwt.seal(name), network: auth.jwt.seal(`network ${clientNetwork(address)}`) };
}

/** Deletes failures that are forgotten, and networks without a success or attempt for 90 days. */
export const EXPIRED_GUESSES = `delete from auth.guesses where last_attempt_at < now() - interval '90 days'
  or (network = '' and last_attempt_at < now() - interval '${MEMORY}')`;
