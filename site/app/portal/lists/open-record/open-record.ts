import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { idParam } from "../../forms/search-params.ts";
import type { Loaded } from "../../frame/outcome.ts";
import { useLoaded } from "../../frame/use-loaded.ts";

/** The query parameter with the id of the record in the side panel. */
export const OPEN = "open";

/** The record in the side panel. */
export interface OpenRecord<Row> {
  id: string;
  /** Undefined while it is loading, null if it does not exist. */
  row: Row | null | undefined;
  /** The error of the last read; the row may be outdated. */
  failure?: { ok: false; message: string };
}

/** Returns the record that the URL opens, also one that the list does not contain; null if none is open. */
export function useOpenRecord<Row extends { id: string }>(
  loaded: Promise<Loaded<Row>>,
  removed: ReadonlySet<object | string>,
  read: (id: string) => Promise<Loaded<Row>>,
): OpenRecord<Row> | null {
  const [search] = useSearchParams();
  const id = idParam(search, OPEN);
  const result = useLoaded(loaded);
  const listed = result?.ok ? result.rows.find((row) => row.id === id && !removed.has(row) && !removed.has(id)) : undefined;
  const [other, setOther] = useState<OpenRecord<Row> | null>(null);
  const readOther = useEffectEvent(read);
  const isListed = listed !== undefined;
  useEffect(() => {
    if (id === null || !result || isListed) return;
    let current = true;
    void readOther(id).then((answer) => {
      if (!current) return;
      if (answer.ok) setOther({ id, row: answer.rows[0] ?? null });
      else setOther((last) => ({ id, row: last?.id === id ? last.row : undefined, failure: answer }));
    });
    return () => {
      current = false;
    };
  }, [id, isListed, result]);
  if (id === null) return null;
  return listed || !result || other?.id !== id ? { id, row: listed } : other;
}

/** Returns a function that closes the side panel: Back if the list opened it, so that the history of the browser has no gap. */
export function useCloseRecord(): () => void {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  return () => {
    if (isFromList(state)) return void navigate(-1);
    void navigate(`?${new URLSearchParams([...search].filter(([name]) => name !== OPEN))}`, { replace: true, preventScrollReset: true });
  };
}

function isFromList(state: unknown): boolean {
  return typeof state === "object" && state !== null && "isFromList" in state;
}
