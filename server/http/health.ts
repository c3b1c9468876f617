import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import packageJson from "../../package.json" with { type: "json" };

export type State = "pass" | "warn" | "fail";

/** A part of the service on which its readiness depends. */
export interface Check {
  name: string;
  /** The state if the check fails or does not end; `fail` for a part without which the service cannot work. */
  otherwise: "warn" | "fail";
  run: () => Promise<State>;
}

/** The health of a process, for monitors and proxies. */
interface Health {
  /** Ends the start. */
  ready(checks: readonly Check[]): void;
  /** Ends the readiness: the process is about to stop. */
  drain(): void;
  /** Answers `/health/live` and `/health/ready`; false for other requests. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
}

const LONGEST_CHECK_MS = 1500;
/** The lifetime of a result: anybody can request it. */
const CACHED_MS = 1000;
const PATHS: ReadonlySet<string | undefined> = new Set(["/health/live", "/health/ready"]);
const METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

interface Readiness {
  status: State;
  checks: Record<string, State>;
}

/** The health of a process that starts. */
export function createHealth(log: Logger): Health {
  let measure: (() => Promise<Readiness>) | null = null;

  async function respond(path: string, outgoing: ServerResponse): Promise<void> {
    const readiness =
      path === "/health/live" ? { status: "pass", version: packageJson.version } : ((await measure?.()) ?? { status: "fail" });
    const headers = { "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
    outgoing.writeHead(readiness.status === "fail" ? 503 : 200, headers).end(JSON.stringify(readiness));
  }

  return {
    ready: (checks) => void (measure = cached(checks.map((check) => bounded(check, log)))),
    drain: () => void (measure = null),
    answer({ url = "", method }, outgoing) {
      if (!PATHS.has(url) || !METHODS.has(method)) return false;
      void respond(url, outgoing);
      return true;
    },
  };
}

type BoundedCheck = () => Promise<[name: string, state: State]>;

/** Runs a check in bounded time, and not again while it still runs. */
function bounded({ name, otherwise, run }: Check, log: Logger): BoundedCheck {
  let running: Promise<State> | undefined;
  async function attempt(): Promise<State> {
    try {
      return await run();
    } catch (error) {
      log.warn({ err: error, check: name }, "a health check failed");
      return otherwise;
    } finally {
      running = undefined;
    }
  }
  return async () => {
    running ??= attempt();
    return [name, await Promise.race([running, delay(LONGEST_CHECK_MS, otherwise, { ref: false })])];
  };
}

function cached(checks: readonly BoundedCheck[]): () => Promise<Readiness> {
  let last: Promise<Readiness> | undefined;
  let until = 0;
  return () => {
    if (last === undefined || performance.now() >= until) {
      last = measureAll(checks);
      until = performance.now() + CACHED_MS;
    }
    return last;
  };
}

async function measureAll(checks: readonly BoundedCheck[]): Promise<Readiness> {
  const results = await Promise.all(checks.map((check) => check()));
  const states = new Set(results.map(([, state]) => state));
  const status = states.has("fail") ? "fail" : states.has("warn") ? "warn" : "pass";
  return { status, checks: Object.fromEntries(results) };
}
