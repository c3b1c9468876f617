import { use, useEffect, useRef, useState } from "react";
import { UNSAFE_DataRouterContext, useLocation, useSearchParams, type ShouldRevalidateFunction } from "react-router";
import type { Narrowed } from "./list-filter.ts";

/** The filter that people type. */
const WORDS = "words";

/** Pause in typing after which the URL changes. */
const PAUSE_MS = 300;

/** The query parameters as filters, and a function that sets one. The URL follows, so that links, reloads and Back keep them. */
export function useFilters(): [chosen: Narrowed, choose: (name: string, value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  const current = search.toString();
  const [chosen, setChosen] = useState<Narrowed>(() => Object.fromEntries(search));
  const [seen, setSeen] = useState(current);
  const [written, setWritten] = useState(current);
  const pending = useRef<{ values: Map<string, string>; timer?: ReturnType<typeof setTimeout> }>({
    values: new Map(),
  });
  useEffect(() => {
    const { current: waiting } = pending;
    return () => clearTimeout(waiting.timer);
  }, []);
  // The state of `useNavigation` comes with a transition, which on a busy computer is later than the pause in typing.
  const router = use(UNSAFE_DataRouterContext)?.router;
  if (current !== seen) {
    setSeen(current);
    // A URL that this hook did not write comes from a link or from Back.
    if (current !== written) setChosen(Object.fromEntries(search));
  }

  function write(): void {
    // A change of the URL would cancel a link to another page that is still loading, or filter that page if React does not show it yet.
    const next = router?.state.navigation.location?.pathname ?? location.pathname;
    if (next !== pathname) return;
    const query = new URLSearchParams(location.search);
    for (const [name, value] of pending.current.values) query.set(name, value);
    pending.current.values.clear();
    if (query.get(WORDS) === "") query.delete(WORDS);
    setWritten(query.toString());
    setSearch(query, { replace: true, preventScrollReset: true });
  }

  function choose(name: string, value: string): void {
    setChosen({ ...chosen, [name]: value });
    pending.current.values.set(name, value);
    clearTimeout(pending.current.timer);
    if (name === WORDS) pending.current.timer = setTimeout(write, PAUSE_MS);
    else write();
  }

  return [chosen, choose];
}

/** Loads the data of a page again after another URL only if one of these query parameters differs; the others are filters of a list. */
export function loadedBy(...names: readonly string[]): ShouldRevalidateFunction {
  return ({ currentUrl, nextUrl, defaultShouldRevalidate }) => {
    const onlyFilters =
      currentUrl.pathname === nextUrl.pathname &&
      currentUrl.search !== nextUrl.search &&
      names.every((name) => currentUrl.searchParams.get(name) === nextUrl.searchParams.get(name));
    return defaultShouldRevalidate && !onlyFilters;
  };
}
