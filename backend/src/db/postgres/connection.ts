import { DatabaseError } from "../database.ts";
import type { Session } from "../transaction.ts";
import { createLink, type Link } from "./link.ts";
import type { ConnectionUrl } from "./url.ts";

// A server stores prepared statements until their connection ends, so a connection with many of them is replaced.
const MAX_PREPARED = 500;

/** One member of the pool: a link, replaced when it is lost. */
export interface PostgresConnection {
  /** Opens a session for one transaction. If its link is lost, all its statements fail, even if another link exists by then. */
  lease(): Session;
  close(): Promise<void>;
}

/** Creates a pool member; `cancel` cancels the statement that a server process is running. */
export function createPostgresConnection(target: ConnectionUrl, cancel: (pid: number) => Promise<void>): PostgresConnection {
  let current = open();

  function open(): { link: Link; stale: boolean } {
    const link = createLink(target, {
      onLost() {
        if (current.link === link) current = open();
      },
    });
    return { link, stale: false };
  }

  return {
    lease() {
      if (current.stale || current.link.preparedCount >= MAX_PREPARED) {
        const { link } = current;
        current = open();
        void link.end();
      }
      const leased = current;
      const { link } = leased;
      let running = 0;
      return {
        async query(text, values) {
          running += 1;
          try {
            return (await link.send(text, values)).rows;
          } catch (error) {
            // Other prepared statements may be stale too.
            if (error instanceof DatabaseError && error.stale) leased.stale = true;
            throw error;
          } finally {
            running -= 1;
          }
        },
        script: async (text) => (await link.send(target.prepare ? text : withSettings(text), null)).command,
        async cancel() {
          // A pooler reports a process id of its own, which may be that of another server process.
          if (target.prepare && link.pid !== undefined && running > 0) await cancel(link.pid);
        },
      };
    },
    close: () => current.link.end(),
  };
}

/** Behind a pooler, settings last for one transaction, because the next one may have another server connection. */
function withSettings(text: string): string {
  return text === "begin" || text === "begin read only" ? `${text}; set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'` : text;
}
