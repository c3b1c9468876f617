import { execFile } from "node:child_process";
import type { Logger } from "pino";

/** Reports the state of this process to the service manager of the system. */
interface ServiceManager {
  ready(): void;
  stopping(): void;
}

/**
 * Reports the state to systemd if its unit has `Type=notify` and `NotifyAccess=all`; with `WatchdogSec`, also that the event loop
 * runs, three times in that time (sd_notify(3), sd_watchdog_enabled(3)). Does nothing elsewhere.
 */
export function createServiceManager(log: Logger): ServiceManager {
  // systemd sets these variables; they are no settings of the product.
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdogMicroseconds } = process.env;

  // With the program systemd-notify, because Node has no datagram sockets in the file system.
  function notify(state: string): void {
    if (socket === undefined) return;
    execFile("systemd-notify", [state], (error) => {
      if (error) log.warn({ err: error, state }, "the state of the server cannot be reported to systemd");
    });
  }

  return {
    ready() {
      notify("READY=1");
      if (watchdogMicroseconds !== undefined) setInterval(notify, Number(watchdogMicroseconds) / 3000, "WATCHDOG=1").unref();
    },
    stopping: () => notify("STOPPING=1"),
  };
}
