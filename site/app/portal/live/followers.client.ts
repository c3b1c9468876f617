import { browserClient } from "../../supabase/supabase.client.ts";

/** The tables whose changes the portal follows; they are in the publication `supabase_realtime`. */
export const TABLES = ["bookings", "course_dates", "enquiries", "letters", "waiting_list"] as const;
export type FollowedTable = (typeof TABLES)[number];

/** A part of a page that shows tables. */
export interface Follower {
  tables: readonly FollowedTable[];
  /** Loads them again. */
  reload: () => void;
  /** True while a reload would show rows that an optimistic update has changed. */
  isPaused: () => boolean;
}

/** Reloads a follower. */
export interface Following {
  /** Reloads the follower if its tables changed during a pause. */
  catchUp(): void;
  stop(): void;
}

/** The followers of a tab. */
interface Followers {
  add(follower: Follower): Following;
  /** Reloads the followers of a table that changed. */
  changed(table: FollowedTable): void;
  /** True once changes arrive, which reloads all followers; false when they may be missing, so that the followers poll. */
  setArriving(isArriving: boolean): void;
  close(): void;
}

/** The changes of one transaction arrive together. */
const DELAY_MS = 50;
/** The shortest time between two reloads. */
const INTERVAL_MS = 300;
/** A page that begins to follow may have read its data before a change of this time. */
const RECENT_MS = 5_000;
const POLL_MS = 30_000;

/**
 * Reloads followers after changes, once the page is visible and online. While no changes arrive, it reloads them every 30 seconds and when
 * the page becomes visible, takes the focus or is online again, unless the service cannot be reached.
 */
export function createFollowers(): Followers {
  const followers = new Map<Follower, Following & { changed(): void }>();
  const changedAt = new Map<FollowedTable, number>();
  const closed = new AbortController();
  let isArriving = false;

  async function poll(): Promise<void> {
    if (!isVisible() || !(await isReachable()) || isArriving) return;
    for (const follower of followers.values()) follower.changed();
  }

  const timer = setInterval(() => {
    if (!isArriving) void poll();
  }, POLL_MS);
  for (const [target, event] of [
    [document, "visibilitychange"],
    [window, "focus"],
    [window, "online"],
  ] as const) {
    const awake = (): void => {
      if (isArriving) for (const follower of followers.values()) follower.catchUp();
      else void poll();
    };
    target.addEventListener(event, awake, { signal: closed.signal });
  }

  return {
    add(follower) {
      const following = follow(follower);
      followers.set(follower, following);
      if (follower.tables.some((table) => (changedAt.get(table) ?? -Infinity) > performance.now() - RECENT_MS)) following.changed();
      return {
        catchUp: following.catchUp,
        stop() {
          followers.delete(follower);
          following.stop();
        },
      };
    },
    changed(table) {
      changedAt.set(table, performance.now());
      for (const [{ tables }, following] of followers) if (tables.includes(table)) following.changed();
    },
    setArriving(next) {
      // Also tables of followers that are added later: React may run their effects after the connection is open.
      if (next && !isArriving) for (const table of TABLES) this.changed(table);
      isArriving = next;
    },
    close() {
      closed.abort();
      clearInterval(timer);
    },
  };
}

function follow({ reload, isPaused }: Follower): Following & { changed(): void } {
  let isOutdated = false;
  let reloadedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function reloadIfPossible(): void {
    timer = undefined;
    isOutdated = isPaused() || !isVisible() || !navigator.onLine;
    if (isOutdated) return;
    reloadedAt = performance.now();
    reload();
  }

  return {
    changed() {
      timer ??= setTimeout(reloadIfPossible, Math.max(DELAY_MS, reloadedAt + INTERVAL_MS - performance.now()));
    },
    catchUp() {
      if (isOutdated) reloadIfPossible();
    },
    stop: () => clearTimeout(timer),
  };
}

function isVisible(): boolean {
  return document.visibilityState === "visible";
}

/** True if the service answers; otherwise a reload would fail and mark every list as outdated. */
async function isReachable(): Promise<boolean> {
  const { error } = await browserClient().from("course_dates").select("id", { head: true }).limit(1);
  return error === null;
}
