const DAY_MS = 86_400_000;
/** Long enough for the longest course and its unpaid bookings. */
const RECENT_DAYS = 30;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the address of the page asks for: one date's bookings, all there are, or those of recent and coming dates. */
export function readScope(search: URLSearchParams): { dateId: string | null; all: boolean } {
  const date = search.get("date");
  return { dateId: date !== null && ID.test(date) ? date : null, all: search.get("when") === "all" };
}

/** From when on dates are recent, as ISO text; `now` in milliseconds. */
export function sinceWhen(now: number): string {
  return new Date(now - RECENT_DAYS * DAY_MS).toISOString();
}
