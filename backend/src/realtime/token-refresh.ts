import { RealtimeError } from "./errors.ts";
import type { Moment } from "./moment.ts";
import type { Services } from "./services.ts";
import { expired, isApiKey, type Token } from "./token.ts";

/** The first new token counts at once, then at most one in this time. */
const INTERVAL_MS = 10_000;

/** The token of a channel, which the client refreshes. */
interface TokenRefresh {
  readonly current: Token;
  /** Applies a token that the client sent, at once or as soon as its turn has come. */
  offer(text: string | null): Promise<void> | void;
  /** Applies the token whose turn has come, and fails if the current one has expired. */
  sweep(moment: Moment): void;
}

/** Manages the token of a channel. `apply` reads the rights of a new token; `fail` ends the channel. */
export function createTokenRefresh(
  first: Token,
  { readToken, log }: Services,
  channel: { apply(token: Token): Promise<void>; fail(error: RealtimeError): void },
): TokenRefresh {
  let current = first;
  let appliedAt = -Infinity;
  let next: string | undefined;
  let isApplying = false;

  async function apply(text: string): Promise<void> {
    next = undefined;
    isApplying = true;
    appliedAt = performance.now();
    try {
      const token = await readToken(text);
      await channel.apply(token);
      current = token;
    } catch (error) {
      if (error instanceof RealtimeError) return channel.fail(error);
      log.warn({ err: error }, "token of a realtime channel cannot be applied");
      channel.fail(new RealtimeError("UnableToConnectToProject", "Realtime was unable to connect to the project database"));
    } finally {
      isApplying = false;
    }
  }

  return {
    get current() {
      return current;
    },
    offer(text) {
      if (text === null || isApiKey(text) || text === current.text) return;
      if (!isApplying && performance.now() - appliedAt >= INTERVAL_MS) return apply(text);
      next = text;
    },
    sweep({ date, ms }) {
      if (isApplying) return;
      if (next !== undefined && (ms - appliedAt >= INTERVAL_MS || current.expiresAt <= date)) void apply(next);
      else if (current.expiresAt <= date) channel.fail(expired(current.expiresAt));
    },
  };
}
