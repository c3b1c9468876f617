import { z } from "zod";
import type { Caller } from "./database/ask.ts";
import type { DatabaseFeed } from "./database/feed.ts";
import type { ChangeRequest } from "./database/requests.ts";
import type { Deliver } from "./database/subscribers.ts";
import { RealtimeError } from "./errors.ts";
import type { JoinConfig } from "./join-payload.ts";

interface ChangesOptions {
  feed: DatabaseFeed;
  config: JoinConfig;
  /** The caller when the channel is joined. */
  caller: Caller;
  pushSystem(extension: string, status: "ok" | "error", message: string): void;
  deliver: Deliver;
  /** Called when changes may be missing, also during the join; the client should join again. */
  onLoss(): void;
}

/** The subscription of a channel to database changes. */
interface Changes {
  /** Subscribes after the response to the join, unless the client wanted to wait for it. */
  start(): void;
  update(caller: Caller): Promise<void>;
  end(): void;
}

const EXTENSION = "postgres_changes";

/**
 * Subscribes a channel to database changes. If the client waits for it, fails with a `RealtimeError`; otherwise a failure is a
 * `system` message.
 */
export async function openChanges({ feed, config, caller: first, pushSystem, deliver, onLoss }: ChangesOptions): Promise<Changes> {
  const hasRequests = config.postgres_changes.length > 0;
  const { wait, timeout } = config.postgres_changes_options;
  /** Released after the attempt to subscribe, because they may be long. */
  let requests = readRequests(config.postgres_changes);
  const ended = new AbortController();
  let caller = first;
  let subscription: Awaited<ReturnType<DatabaseFeed["subscribe"]>> | undefined;

  /** A subscription that still waits may be called after the end. */
  function unlessEnded<A extends unknown[]>(call: (...given: A) => void): (...given: A) => void {
    return (...given) => {
      if (!ended.signal.aborted) call(...given);
    };
  }

  async function subscribe(): Promise<void> {
    let subscribedAs = caller;
    const given = requests;
    requests = [];
    if (given instanceof RealtimeError) throw given;
    const added = await feed.subscribe(caller, given, unlessEnded(deliver), {
      onLoss: unlessEnded(onLoss),
      signal: ended.signal,
    });
    try {
      // The channel may have got new tokens meanwhile.
      while (caller !== subscribedAs) {
        subscribedAs = caller;
        await added.update(caller);
      }
    } catch (error) {
      added.end();
      throw error;
    }
    if (ended.signal.aborted) added.end();
    else subscription = added;
  }

  if (wait && hasRequests) {
    try {
      await withTimeout(subscribe(), timeout);
    } catch (error) {
      ended.abort();
      throw error;
    }
  }

  return {
    start() {
      if (!hasRequests) return;
      const done = (): void => pushSystem(EXTENSION, "ok", "Subscribed to PostgreSQL");
      if (subscription) return done();
      subscribe().then(done, (error: unknown) => {
        if (!ended.signal.aborted)
          pushSystem(EXTENSION, "error", error instanceof RealtimeError ? error.message : "Unable to subscribe to changes");
      });
    },
    async update(next) {
      caller = next;
      await subscription?.update(next);
    },
    end() {
      ended.abort();
      subscription?.end();
    },
  };
}

const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .nullish()
    .transform((value) => value ?? undefined);
const requestsSchema = z.array(
  z.object({
    // Any other event is `*`, as on hosted projects.
    event: z
      .string()
      .toUpperCase()
      .pipe(z.enum(["*", "INSERT", "UPDATE", "DELETE"]))
      .catch("*"),
    schema: text(255),
    table: text(255),
    filter: text(10_000),
    select: z
      .union([z.string().max(10_000), z.array(z.string().max(255)).max(1000)])
      .nullish()
      .transform((columns) => (columns ? [columns].flat().join(",") : undefined)),
  }),
);

function readRequests(sent: JoinConfig["postgres_changes"]): ChangeRequest[] | RealtimeError {
  const { data, error } = requestsSchema.safeParse(sent);
  if (data) return data;
  const names = new Set(error.issues.map(({ path }) => path[1]));
  const message = `Unable to subscribe to changes with given parameters. Please check your connect parameters: [${[...names].join(", ")}]`;
  return new RealtimeError("RealtimeDisabledForConfiguration", message);
}

/** Returns the requests with their ids, as the client wrote them: it compares them with its own. */
export function bindingsOf({ postgres_changes: requests }: JoinConfig): object[] {
  return requests.map((request, index) => ({ ...request, id: index + 1 }));
}

async function withTimeout(work: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `Timed out after ${timeoutMs}ms waiting for the postgres_changes subscription`;
    reject(new RealtimeError("PostgresChangesSubscribeTimeout", message));
  }, timeoutMs);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
