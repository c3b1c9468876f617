import { useEffect, useState } from "react";

/** Pause in typing before a search starts. */
const PAUSE_MS = 300;
const NOTHING: readonly never[] = [];

/** Rows found by a search that the list does not contain; searches again when the loaded list changes. */
export function useFurtherRows<Row>(
  words: string,
  search: ((words: string) => Promise<readonly Row[]>) | undefined,
  loaded: object | undefined,
): readonly Row[] {
  const [found, setFound] = useState<{ words: string; rows: readonly Row[] }>({ words: "", rows: NOTHING });
  useEffect(() => {
    if (!search || !loaded || words.trim() === "") return;
    let current = true;
    const timer = setTimeout(
      () =>
        void search(words).then((rows) => {
          if (current) setFound({ words, rows });
        }),
      PAUSE_MS,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [words, search, loaded]);
  return search && found.words === words ? found.rows : NOTHING;
}
