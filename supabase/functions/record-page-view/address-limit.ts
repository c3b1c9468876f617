const PERIOD_MS = 10 * 60_000;
const MOST_VIEWS = 600;
const REPORTED_TOGETHER = 10;
const MOST_ADDRESSES = 50_000;

export interface AddressLimit {
  /** Counts a view of this address: how many of its views to report with it, 0 while there are few, or "reached" beyond 600 in ten minutes. */
  count(address: string): number | "reached";
  /** Takes note that the address had enough, from this process and others together. */
  reach(address: string): void;
}

/**
 * Counts the views of each address in these ten minutes. The database adds up what several processes report; because a process
 * reports ten views at once, an ordinary visitor's address never leaves it, and a flood is refused without asking the database.
 */
export function createAddressLimit(now: () => number = Date.now): AddressLimit {
  const views = new Map<string, number>();
  let period = 0;

  function enterPeriod(): void {
    const current = Math.floor(now() / PERIOD_MS);
    if (current === period) return;
    period = current;
    views.clear();
  }

  return {
    count(address) {
      enterPeriod();
      const known = views.get(address);
      // A crowd that does not fit here is counted by the database, view by view.
      if (known === undefined && views.size >= MOST_ADDRESSES) return 1;
      const total = (known ?? 0) + 1;
      if (total > MOST_VIEWS) return "reached";
      views.set(address, total);
      return total % REPORTED_TOGETHER === 0 ? REPORTED_TOGETHER : 0;
    },
    reach(address) {
      enterPeriod();
      if (views.has(address)) views.set(address, MOST_VIEWS);
    },
  };
}
