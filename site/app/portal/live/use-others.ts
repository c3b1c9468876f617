import { useContext, useEffect, useState } from "react";
import type { Member } from "./connection.client.ts";
import { LiveContext } from "./live.tsx";

const NOBODY: readonly Member[] = [];

/** Announces this window under a name, and returns the others with that name; none while there is no connection. */
export function useOthers(name: string, { userId, name: ownName }: Member): readonly Member[] {
  const connection = useContext(LiveContext);
  const [others, setOthers] = useState(NOBODY);
  useEffect(() => {
    const stop = connection?.meet(name, { userId, name: ownName }, setOthers);
    return () => {
      stop?.();
      setOthers(NOBODY);
    };
  }, [connection, name, userId, ownName]);
  return others;
}
