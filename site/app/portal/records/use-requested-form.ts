import { useEffectEvent, useLayoutEffect } from "react";
import { useLocation, useSearchParams } from "react-router";

/**
 * Calls `open` with the form that a query parameter requests and its value, the id of a record, and removes the parameter,
 * so that a reload does not open the form again. Returns true while the parameter is there.
 */
export function useRequestedForm(forms: readonly string[], open: (form: string, id: string) => void): boolean {
  const [search, setSearch] = useSearchParams();
  const { key } = useLocation();
  const requested = forms.find((form) => search.has(form));
  const openRequested = useEffectEvent((form: string) => {
    const rest = new URLSearchParams([...search].filter(([name]) => name !== form));
    setSearch(rest, { replace: true, preventScrollReset: true });
    open(form, search.get(form) ?? "");
  });
  // Before the page is on screen: later the navigation would cancel one that the person began there, and the form would replace theirs.
  useLayoutEffect(() => {
    if (requested !== undefined) openRequested(requested);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- A form may be requested again before the page without the parameter is rendered.
  }, [requested, key]);
  return requested !== undefined;
}
