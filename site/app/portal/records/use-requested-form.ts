import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";

/**
 * Calls `open` with the form that a query parameter requests and its value, the id of a record, and removes the parameter,
 * so that a reload does not open the form again. Returns true while the parameter is there.
 */
export function useRequestedForm(forms: readonly string[], open: (form: string, id: string) => void): boolean {
  const [search, setSearch] = useSearchParams();
  const requested = forms.find((form) => search.has(form));
  const openRequested = useEffectEvent((form: string) => {
    const rest = new URLSearchParams([...search].filter(([name]) => name !== form));
    setSearch(rest, { replace: true, preventScrollReset: true });
    open(form, search.get(form) ?? "");
  });
  useEffect(() => {
    if (requested !== undefined) openRequested(requested);
  }, [requested]);
  return requested !== undefined;
}
