interface VisitorLimitOptions {
  /** How many times an address may come within the window. */
  most: number;
  windowMs: number;
}

export interface VisitorLimit {
  /** Counts this visit of a network address, and says whether it is still within the limit. */
  allows(address: string): boolean;
}

const MOST_ADDRESSES = 10_000;

/** Counts visits by network address in the memory of this process; what holds for all processes together is the database's to say. */
export function createVisitorLimit({ most, windowMs }: VisitorLimitOptions): VisitorLimit {
  const windows = new Map<string, { visits: number; ends: number }>();

  function openWindow(network: string, now: number): { visits: number; ends: number } {
    for (const [known, { ends }] of windows) if (ends <= now || windows.size >= MOST_ADDRESSES) windows.delete(known);
    const opened = { visits: 0, ends: now + windowMs };
    windows.set(network, opened);
    return opened;
  }

  return {
    allows(address) {
      const network = networkOf(address);
      const now = Date.now();
      const current = windows.get(network);
      const window = current && current.ends > now ? current : openWindow(network, now);
      window.visits += 1;
      return window.visits <= most;
    },
  };
}

/** An IPv6 visitor has a whole /64 to choose addresses from (RFC 6177), so that is what is counted. */
function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  return [...groups, ...Array.from({ length: Math.max(missing, 0) }, () => "0")].slice(0, 4).join(":");
}
