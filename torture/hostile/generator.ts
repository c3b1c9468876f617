import { setTimeout as delay } from "node:timers/promises";
import { type Answers, send } from "./client.ts";
import type { Target } from "./endpoints.ts";
import type { HostileRequest } from "./hostile-request.ts";
import { hostileRequest } from "./requests.ts";

// Run as a process of its own, so that its work does not delay the measurement: sends requests at a rate until the parent sends "stop".

/** The parent's first message. */
export interface Order {
  target: Target;
  seed: number;
  perSecond: number;
}

/** An answer with a server error, or none: the number repeats the request. */
interface Problem {
  number: number;
  endpoint: string;
  problem: string;
  text: string;
}

/** The result, sent after the parent's "stop". */
export interface Tally {
  connections: number;
  /** Responses by endpoint and status; the status "closed" stands for none. */
  counts: Record<string, Record<string, number>>;
  problems: Problem[];
  slowestMs: number;
}

/** Status 503 with `Retry-After` is the documented answer to overload. */
const OVERLOAD = 503;
/** The documented answer of the auth API to a request that does not arrive completely in time. */
const TIMEOUT = 504;
const MAX_OPEN = 200;
const MAX_PROBLEMS = 1000;

process.once("message", (order: Order) => void attack(order));

async function attack({ target, seed, perSecond }: Order): Promise<void> {
  const tally: Tally = { connections: 0, counts: {}, problems: [], slowestMs: 0 };
  let open = 0;
  let running = true;
  process.on("message", (message) => {
    if (message === "stop") running = false;
    else process.send?.(tally);
  });
  const started = performance.now();
  for (let number = 0; running; number += 1) {
    const due = started + (number * 1000) / perSecond;
    await delay(Math.max(0, due - performance.now()));
    while (open >= MAX_OPEN) await delay(5);
    open += 1;
    const request = hostileRequest(seed, number, target);
    void send(request, target.port).then((answers) => {
      open -= 1;
      note(tally, number, request, answers);
    });
  }
  while (open > 0) await delay(20);
  process.send?.(tally);
  process.disconnect?.();
}

function note(
  tally: Tally,
  number: number,
  { endpoint, complete }: HostileRequest,
  { statuses, lacksRetryAfter, silent, ms, text }: Answers,
): void {
  tally.connections += 1;
  const counts = (tally.counts[endpoint] ??= {});
  for (const status of statuses.length > 0 ? statuses : ["closed"]) counts[status] = (counts[status] ?? 0) + 1;
  const failed = statuses.find((status) => status >= 500 && status !== OVERLOAD && (complete || status !== TIMEOUT));
  const problem = failed !== undefined ? String(failed) : lacksRetryAfter ? "503 without Retry-After" : silent ? "no answer" : null;
  if (problem !== null && tally.problems.length < MAX_PROBLEMS) tally.problems.push({ number, endpoint, problem, text });
  if (!silent && statuses.length > 0) tally.slowestMs = Math.max(tally.slowestMs, ms);
}
