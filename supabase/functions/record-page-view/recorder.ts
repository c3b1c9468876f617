import { clearTimeout, setImmediate, setTimeout } from "node:timers";

const LONGEST_WAIT_MS = 25;
const LARGEST_GROUP = 1000;
const MOST_AT_ONCE = 4;
const MOST_WAITING = 10_000;
const FORGET_AFTER_MS = 10 * 60_000;
const FORGET_AGAIN_AFTER_MS = 24 * 60 * 60_000;

/** A view as the database counts it. */
export interface CountedView {
  page_path: string;
  session_id: string;
  device: string;
  referrer?: string;
  post_slug?: string;
  address?: string;
  /** How many views of this address to add to its limit; only together with it. */
  address_views?: number;
}

export type Outcome = "recorded" | "unknown_page" | "rate_limited";

export interface RecorderOptions {
  /** Commits views, and how many others were not counted because of an objection; answers for each view in order, or null when it could not. */
  write(views: readonly CountedView[], objections: number): Promise<readonly (Outcome | undefined)[] | null>;
  /** Clears away what may be kept for a time only. */
  forget(): Promise<void>;
}

export interface Recorder {
  /** Resolves when the view is committed or refused; "not_stored" where that failed or too many wait already. */
  record(view: CountedView): Promise<Outcome | "not_stored">;
  /** Counts that somebody objected, and nothing about them. */
  recordObjection(): Promise<Outcome | "not_stored">;
}

interface Waiting extends PromiseWithResolvers<Outcome | "not_stored"> {
  view: CountedView | undefined;
}

/**
 * Groups views that come while others are being committed, so that they share a commit: nobody waits longer than 25 ms for
 * theirs to begin unless four are under way. Where no view comes any more, the process still forgets on time.
 */
export function createRecorder({ write, forget }: RecorderOptions): Recorder {
  const waiting: Waiting[] = [];
  let running = 0;
  let begins: NodeJS.Timeout | undefined;
  let forgets: NodeJS.Timeout | undefined;

  function enter(view: CountedView | undefined): Promise<Outcome | "not_stored"> {
    if (waiting.length >= MOST_WAITING) return Promise.resolve("not_stored");
    const entry: Waiting = { view, ...Promise.withResolvers() };
    waiting.push(entry);
    if (waiting.length === 1 && running === 0) setImmediate(begin);
    else begins ??= setTimeout(begin, LONGEST_WAIT_MS);
    return entry.promise;
  }

  function begin(): void {
    clearTimeout(begins);
    begins = undefined;
    if (waiting.length === 0 || running >= MOST_AT_ONCE) return;
    void commit(waiting.splice(0, LARGEST_GROUP));
    if (waiting.length > 0) begins = setTimeout(begin, LONGEST_WAIT_MS);
  }

  async function commit(group: readonly Waiting[]): Promise<void> {
    running += 1;
    const entries = group.filter((entry) => entry.view !== undefined);
    try {
      const outcomes = await write(
        entries.flatMap((entry) => entry.view ?? []),
        group.length - entries.length,
      );
      entries.forEach((entry, index) => entry.resolve(outcomes?.[index] ?? "not_stored"));
      for (const entry of group) entry.resolve(outcomes ? "recorded" : "not_stored");
      forgetIn(FORGET_AFTER_MS);
    } catch (error) {
      for (const entry of group) entry.reject(error);
    }
    running -= 1;
    setImmediate(begin);
  }

  function forgetIn(delay: number): void {
    clearTimeout(forgets);
    forgets = setTimeout(() => {
      const again = (): void => forgetIn(FORGET_AGAIN_AFTER_MS);
      forget().then(again, again);
    }, delay);
    forgets.unref();
  }

  return { record: enter, recordObjection: () => enter(undefined) };
}
