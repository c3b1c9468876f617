import { ConfigError, DatabaseError, DataDirectoryError, MigrationError, UpgradeError } from "backend";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { EnvironmentError, loadEnvFile, processEnvironment, readEnvironment } from "./environment/environment.ts";
import { listen, ListenError, type Listener, type ListenOptions } from "./http/listen.ts";
import { createLog } from "./log.ts";
import type { Metrics } from "./http/metrics.ts";
import { createServiceManager } from "./machine/service-manager.ts";
import { StartError } from "./start-error.ts";
import { startWhenAvailable } from "./start-when-available.ts";

/** The context of a service start: the listener on its port, and its public address without a trailing slash. */
interface Start {
  listener: Listener;
  url: string;
  /** Undefined if METRICS_KEY is not set. */
  metrics: Metrics | undefined;
  log: Logger;
}

/** Five seconds for running requests, and the rest for the database; Docker waits ten. */
const LONGEST_STOP_MS = 9000;
// Errors whose messages need no stack trace.
const PLAIN = [ListenError, ConfigError, MigrationError, UpgradeError, DataDirectoryError, StartError];
const UNWRITABLE = new Set(["EACCES", "EROFS", "EPERM", "ENOTDIR", "EEXIST", "ENOSPC"]);

/**
 * Listens on the port, starts a service and runs it until SIGINT or SIGTERM, then calls the function that `start` returned.
 * A start that fails for a known reason prints one line and exits with 1; if the database cannot be reached, it is tried again first.
 */
export async function runProcess(
  start: (given: Start) => Promise<() => Promise<void>>,
  options: Pick<ListenOptions, "before"> = {},
): Promise<void> {
  try {
    loadEnvFile();
    const environment = readEnvironment(processEnvironment, process.env);
    const { HOST: host, PORT: port, TRUST_PROXY: trustProxy, SITE_URL, METRICS_KEY: metricsKey } = environment;
    const log = createLog(environment.LOG_LEVEL);
    if (SITE_URL?.startsWith("https:") && trustProxy === 0)
      log.warn(
        "SITE_URL is https, so a proxy is in front, but TRUST_PROXY is 0: all visitors count as one client and share its rate limits. " +
          "Set TRUST_PROXY to the number of proxies.",
      );
    // Lazy: most installations have no monitor.
    const metrics = metricsKey === undefined ? undefined : (await import("./http/metrics.ts")).createMetrics(metricsKey, log);
    const manager = createServiceManager(log);
    const isOneOfSeveral = environment.DRAIN_SECONDS > 0;
    const listener = await listen({ host, port, trustProxy, log, metrics, late: isOneOfSeveral, ...options });
    const url = (SITE_URL ?? `http://${host}:${listener.port}`).replace(/\/$/, "");
    let stop = (): Promise<void> => Promise.resolve();
    const end = async (): Promise<void> => {
      manager.stopping();
      listener.drain();
      await delay(environment.DRAIN_SECONDS * 1000);
      setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
      await listener.close();
      await stop();
      process.exit(0);
    };
    // Before the start, which may start child processes.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
    stop = await startWhenAvailable(() => start({ listener, url, metrics, log }), log);
    await listener.open();
    manager.ready();
    log.info(`Ready on ${url}`);
  } catch (error) {
    console.error(startFailure(error));
    process.exit(1);
  }
}

/** The reason for a failed start, in one line for an operator; a stack trace if the reason is unknown. */
export function startFailure(error: unknown): string {
  if (error instanceof EnvironmentError) return `The environment cannot be used: ${error.message}`;
  if (error instanceof DatabaseError) return `The database cannot be used: ${error.message} (${error.code})`;
  if (!(error instanceof Error)) return String(error);
  if (PLAIN.some((known) => error instanceof known)) return error.message;
  const code = "code" in error ? error.code : undefined;
  if (typeof code === "string" && UNWRITABLE.has(code)) return `DATA_DIR cannot be written: ${error.message}`;
  return error.stack ?? error.message;
}
