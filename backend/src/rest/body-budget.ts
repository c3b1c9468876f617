import { RestError } from "./errors.ts";

const MIB = 1024 * 1024;
const MAX_BYTES = 32 * MIB;
/** Anonymous callers cannot use up the memory of the others. */
const MAX_ANONYMOUS_BYTES = 8 * MIB;

/** Limits the memory that the bodies of concurrent requests take. */
interface BodyBudget {
  /** Counts the bytes of one body until it is disposed of. */
  open(role: string): CountedBody;
}

interface CountedBody extends Disposable {
  /** Counts bytes that arrived. Fails with a 503 if all bodies together are too large. */
  add(bytes: number): void;
}

export function createBodyBudget(): BodyBudget {
  let total = 0;
  let anonymous = 0;

  return {
    open(role) {
      let size = 0;
      function count(bytes: number): void {
        size += bytes;
        total += bytes;
        if (role === "anon") anonymous += bytes;
      }
      return {
        add(bytes) {
          count(bytes);
          if (total <= MAX_BYTES && anonymous <= MAX_ANONYMOUS_BYTES) return;
          throw new RestError(503, "too_many_bodies", "Too many request bodies are being processed at the moment.", {
            headers: { "Retry-After": "1" },
          });
        },
        [Symbol.dispose]: () => count(-size),
      };
    },
  };
}
