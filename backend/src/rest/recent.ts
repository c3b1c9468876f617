/** What was used last, by a key: where there is no more room, what was longest unused makes way. */
export type Recent<T> = Pick<Map<string, T>, "get" | "set" | "clear">;

/** Makes a `Recent` with room for `most` entries. */
export function createRecent<T>(most: number): Recent<T> {
  const entries = new Map<string, T>();

  /** A map is ordered by insertion: set anew, an entry becomes its youngest. */
  function set(key: string, entry: T): Map<string, T> {
    entries.delete(key);
    const [oldest] = entries.keys();
    if (entries.size >= most && oldest !== undefined) entries.delete(oldest);
    return entries.set(key, entry);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry !== undefined) set(key, entry);
      return entry;
    },
    set,
    clear: () => entries.clear(),
  };
}
