import type { Logger } from "pino";

type Handler = (payload: string) => void;

/** The handlers of each channel, used by both drivers. */
export interface Subscriptions {
  add(channel: string, handler: Handler): symbol;
  /** Removes a handler; returns true if it was the last of its channel. */
  remove(channel: string, subscription: symbol): boolean;
  /** Calls a channel's handlers; an error is logged and does not affect the others. */
  dispatch(channel: string, payload: string): void;
  /** Calls all handlers with an empty payload: announcements may be missing. */
  dispatchLoss(): void;
  channels(): string[];
}

export function createSubscriptions(log: Logger): Subscriptions {
  const byChannel = new Map<string, Map<symbol, Handler>>();

  function dispatch(channel: string, payload: string): void {
    for (const handler of byChannel.get(channel)?.values() ?? []) {
      try {
        handler(payload);
      } catch (error) {
        log.error({ err: error, channel }, "a listener failed");
      }
    }
  }

  return {
    add(channel, handler) {
      const handlers = byChannel.get(channel) ?? new Map<symbol, Handler>();
      const subscription = Symbol(channel);
      byChannel.set(channel, handlers.set(subscription, handler));
      return subscription;
    },
    remove(channel, subscription) {
      const handlers = byChannel.get(channel);
      const isLast = handlers?.delete(subscription) === true && handlers.size === 0;
      if (isLast) byChannel.delete(channel);
      return isLast;
    },
    dispatch,
    dispatchLoss() {
      for (const channel of byChannel.keys()) dispatch(channel, "");
    },
    channels: () => [...byChannel.keys()],
  };
}
