import { DatabaseError, type Row } from "../database.ts";
import { createLink, type Link } from "./link.ts";
import type { ConnectionUrl } from "./url.ts";
import type { Session } from "../transaction.ts";

// A server keeps every prepared statement until its connection ends, so a connection that has many makes way for a fresh one.
const PREPARED_LIMIT = 500;

/** A place for one connection to a server, filled anew when the one in it was lost. */
export interface PostgresConnection {
  /** A session for one transaction: when its connection is lost it stays lost, whatever takes its place. */
  lease(): Session;
  close(): Promise<void>;
}

/** Makes a connection for transactions; `cancel` ends the statement a server process is running. */
export function createPostgresConnection(target: ConnectionUrl, cancel: (pid: number) => Promise<void>): PostgresConnection {
  let current = open();

  function open(): { link: Link; prepared: Set<string>; outdated: boolean } {
    const link = createLink(target, {
      onLost() {
        if (current.link === link) current = open();
      },
    });
    return { link, prepared: new Set(), outdated: false };
  }

  return {
    lease() {
      if (current.outdated || current.prepared.size >= PREPARED_LIMIT) {
        const { link } = current;
        current = open();
        void link.end();
      }
      const leased = current;
      const { link, prepared } = leased;
      let running = 0;
      return {
        async query(text, values): Promise<Row[]> {
          if (target.prepare) prepared.add(text);
          running += 1;
          try {
            return [...(await link.send(text, values))];
          } catch (error) {
            // What else was prepared may be out of date too.
            if (error instanceof DatabaseError && error.outdated) leased.outdated = true;
            throw error;
          } finally {
            running -= 1;
          }
        },
        script: async (text) => (await link.send(text, null)).command,
        async cancel() {
          // A pooler tells a process of its own invention, which may be somebody else's.
          if (target.prepare && link.pid !== undefined && running > 0) await cancel(link.pid);
        },
      };
    },
    close: () => current.link.end(),
  };
}
