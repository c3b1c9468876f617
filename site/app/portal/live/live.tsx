import { createContext, useEffect, useState, type ReactNode } from "react";
import type { Connection } from "./connection.client.ts";

/** Pause after which the connection is opened, because the first screen loads without its code. */
const PAUSE_MS = 2_000;
/** Pause before its code is requested again. */
const RETRY_MS = 30_000;

/** The realtime connection of the tab; null until there is one. */
export const LiveContext = createContext<Connection | null>(null);

/** Connects while somebody is signed in, and closes the connection when they sign out. */
export function LiveProvider({ userId, children }: { userId: string | undefined; children: ReactNode }) {
  const [connection, setConnection] = useState<Connection | null>(null);
  useEffect(() => {
    if (userId === undefined) return;
    let opened: Connection | undefined;
    let hasEnded = false;
    let timer = setTimeout(() => void open(), PAUSE_MS);

    async function open(): Promise<void> {
      // Fails without a network.
      const code = await import("./connection.client.ts").catch(() => null);
      if (hasEnded) return;
      if (code) setConnection((opened = code.connect()));
      else timer = setTimeout(() => void open(), RETRY_MS);
    }

    return () => {
      hasEnded = true;
      clearTimeout(timer);
      opened?.close();
      setConnection(null);
    };
  }, [userId]);
  return <LiveContext value={connection}>{children}</LiveContext>;
}
