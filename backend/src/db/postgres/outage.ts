import type { Logger } from "pino";
import type { DatabaseError } from "../database.ts";

/** Logs an outage of the server in two lines: when it starts, and when it ends. */
interface OutageLog {
  failed(error: DatabaseError): void;
  succeeded(): void;
}

export function createOutageLog(log: Logger): OutageLog {
  let failures = 0;
  let since = 0;
  return {
    failed(error) {
      if (failures === 0) {
        since = performance.now();
        log.error({ code: error.code, reason: error.message }, "the database is not available");
      }
      failures += 1;
    },
    succeeded() {
      if (failures === 0) return;
      log.info({ failures, seconds: Math.round((performance.now() - since) / 1000) }, "the database is available again");
      failures = 0;
    },
  };
}
