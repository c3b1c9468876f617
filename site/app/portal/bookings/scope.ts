const DAY_MS = 86_400_000;
/** Long enough for the longest course and its unpaid bookings. */
const RECENT_DAYS = 30;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the address of the page asks for: one date's bookings, all there are, or those of recent and coming dates; and an enquiry to book. */
export function readScope(search: URLSearchParams): { dateId: string | null; all: boolean; enquiryId: string | null } {
  return { dateId: idOf(search, "date"), all: search.get("when") === "all", enquiryId: idOf(search, "enquiry") };
}

/** From when on dates are recent, as ISO text; `now` in milliseconds. */
export function sinceWhen(now: number): string {
  return new Date(now - RECENT_DAYS * DAY_MS).toISOString();
}

function idOf(search: URLSearchParams, name: string): string | null {
  const id = search.get(name);
  return id !== null && ID.test(id) ? id : null;
}
