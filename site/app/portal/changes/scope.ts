import { href } from "react-router";
import { idParam } from "../forms/search-params.ts";
import type { ChangeScope } from "../history/change.ts";

/** Reads the scope from the query string; ignores malformed values. */
export function readScope(search: URLSearchParams): ChangeScope {
  const text = (name: string): string => search.get(name) ?? "";
  const before = text("before");
  return {
    kind: text("kind"),
    who: text("who"),
    from: text("from"),
    to: text("to"),
    record: idParam(search, "record") ?? "",
    before: Number.isNaN(Date.parse(before)) ? "" : before,
  };
}

/** Returns the URL of a changed scope; without `before` it starts at the latest change. */
export function addressOf(scope: ChangeScope, change: Partial<ChangeScope>): string {
  const entries = Object.entries({ ...scope, before: "", ...change }).filter(([, value]) => value !== "");
  return entries.length === 0 ? href("/admin/changes") : `${href("/admin/changes")}?${new URLSearchParams(entries)}`;
}
