const DAY_MS = 86_400_000;
/** A season of enquiries; open ones are listed however old they are. */
const RECENT_DAYS = 90;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the address of the page asks for: all enquiries there are, and one of them opened. */
export function readScope(search: URLSearchParams): { all: boolean; openId: string | null } {
  const id = search.get("open");
  return { all: search.get("when") === "all", openId: id !== null && ID.test(id) ? id : null };
}

/** From when on enquiries are recent, as ISO text; `now` in milliseconds. */
export function sinceWhen(now: number): string {
  return new Date(now - RECENT_DAYS * DAY_MS).toISOString();
}
