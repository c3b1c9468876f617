interface TokenBucketOptions {
  /** Tokens that are added per second. */
  perSecond: number;
  /** Tokens of a full bucket, as which it starts. */
  burst?: number;
  /** The largest debt that `charge` makes. */
  maxDebt?: number;
  /** Returns milliseconds that never run backwards. */
  now?: () => number;
}

/** A rate limit of this process, in memory. Limits of all processes are in the database (`rate-limits.ts`). */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #maxDebt: number;
  readonly #now: () => number;
  /** Negative for a debt. */
  #tokens: number;
  #countedAt: number;

  constructor({ perSecond, burst = perSecond, maxDebt = 0, now = () => performance.now() }: TokenBucketOptions) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#maxDebt = maxDebt;
    this.#now = now;
    this.#tokens = burst;
    this.#countedAt = now();
  }

  /** Takes tokens for one event, or for several at once; false, and nothing is taken, if there are too few. */
  take(count = 1): boolean {
    if (this.#tokensAt(this.#now()) < count) return false;
    this.charge(count);
    return true;
  }

  /** Takes tokens, as a debt if there are too few; returns how many tokens, of these and of an earlier debt, are paid since the last call. */
  charge(count: number): number {
    const now = this.#now();
    const left = this.#tokensAt(now) - count;
    const paid = count + debtOf(this.#tokens) - debtOf(left);
    this.#tokens = Math.max(-this.#maxDebt, left);
    this.#countedAt = now;
    return paid;
  }

  /** Returns the milliseconds until the debt is paid; 0 without one. */
  waitMs(): number {
    return (debtOf(this.#tokensAt(this.#now())) / this.#perSecond) * 1000;
  }

  #tokensAt(now: number): number {
    return Math.min(this.#burst, this.#tokens + ((now - this.#countedAt) / 1000) * this.#perSecond);
  }
}

function debtOf(tokens: number): number {
  return Math.max(0, -tokens);
}
