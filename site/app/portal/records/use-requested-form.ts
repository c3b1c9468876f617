import { useEffectEvent, useLayoutEffect } from "react";
import { useLocation, useSearchParams } from "react-router";

/** Returns the form that a query parameter requests; undefined if there is none. */
export function useRequested(forms: readonly string[]): string | undefined {
  const [search] = useSearchParams();
  return forms.find((form) => search.has(form));
}

/**
 * Calls `open` with the requested form and the value of its query parameter, the id of a record, and removes the parameter,
 * so that a reload does not open the form again.
 */
export function useRequestedForm(requested: string | undefined, open: (form: string, id: string) => void): void {
  const [search, setSearch] = useSearchParams();
  const { key } = useLocation();
  const openRequested = useEffectEvent((form: string) => {
    const rest = new URLSearchParams([...search].filter(([name]) => name !== form));
    setSearch(rest, { replace: true, preventScrollReset: true });
    open(form, search.get(form) ?? "");
  });
  // A layout effect, because on a page that is on screen the navigation would cancel one of the person, and the form would replace theirs.
  useLayoutEffect(() => {
    if (requested !== undefined) openRequested(requested);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- A form may be requested again before the page without the parameter is rendered.
  }, [requested, key]);
}
