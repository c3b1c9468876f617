import { addDays, fromLondonTime } from "../../time/london-time.ts";
import type { ChangeScope } from "./schema.ts";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the address of the page asks for; what it does not say well is left out. */
export function readScope(search: URLSearchParams): ChangeScope {
  const text = (name: string): string => search.get(name) ?? "";
  const record = text("record");
  const before = text("before");
  return {
    kind: text("kind"),
    who: text("who"),
    from: text("from"),
    to: text("to"),
    record: ID.test(record) ? record : "",
    before: Number.isNaN(Date.parse(before)) ? "" : before,
  };
}

/** The address of the page with some of its scope changed; an earlier page of another scope would mean nothing, so it begins at the latest. */
export function addressOf(scope: ChangeScope, change: Partial<ChangeScope>): string {
  const entries = Object.entries({ ...scope, before: "", ...change }).filter(([, value]) => value !== "");
  return entries.length === 0 ? "/admin/changes" : `/admin/changes?${new URLSearchParams(entries)}`;
}

/** The instant at which a London day begins, or ends, as ISO text; null where it is no day. */
export function edgeOfDay(day: string, edge: "begin" | "end"): string | null {
  const begin = fromLondonTime(`${day}T00:00`);
  if (!begin || edge === "begin") return begin?.toISOString() ?? null;
  return fromLondonTime(`${addDays(day, 1)}T00:00`)?.toISOString() ?? null;
}
