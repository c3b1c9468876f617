import { Agent, request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { text } from "node:stream/consumers";
import type { LoadOptions, LoadResult, Tally } from "./load.ts";

// The load generator. Its argument is a `LoadOptions` as JSON; it prints a `LoadResult`.
const { port, key, ca, seconds, readsPerSecond, writesPerSecond }: LoadOptions = JSON.parse(process.argv[2] ?? "{}");

const PAGES = ["/", "/courses", "/blog", "/rest/v1/course_dates?select=id,course_name&limit=5"];
const LONGEST_MS = 15_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64, ca, servername: "www.example.org" });
const running = new Set<Promise<void>>();

function send(number: number, method: "GET" | "POST", path: string, body?: string): Promise<[status: number, body: string]> {
  const headers = {
    host: "www.example.org",
    apikey: key,
    "content-type": "application/json",
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64)",
    // The limits count each of them as another client; the product trusts two proxies.
    "x-forwarded-for": `10.${number % 200}.${Math.floor(number / 200) % 200}.7`,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent, timeout: LONGEST_MS }, (response) => {
      text(response).then((answer) => resolve([response.statusCode ?? 0, answer]), reject);
    });
    sent.once("timeout", () => sent.destroy(new Error("no answer")));
    sent.once("error", reject);
    sent.end(body);
  });
}

async function count(tally: Tally, answer: Promise<[status: number, body: string]>): Promise<void> {
  tally.sent += 1;
  try {
    const [status] = await answer;
    if (status < 400) tally.succeeded += 1;
    else tally.failed[`${status}`] = (tally.failed[`${status}`] ?? 0) + 1;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    tally.failed[reason] = (tally.failed[reason] ?? 0) + 1;
  }
}

async function pace(perSecond: number, tally: Tally, sendOne: (number: number) => Promise<[status: number, body: string]>): Promise<void> {
  const started = performance.now();
  for (let number = 0; performance.now() - started < seconds * 1000; number += 1) {
    const answered = count(tally, sendOne(number)).finally(() => running.delete(answered));
    running.add(answered);
    await delay(Math.max(0, started + ((number + 1) * 1000) / perSecond - performance.now()));
  }
}

const result: LoadResult = { reads: { sent: 0, succeeded: 0, failed: {} }, writes: { sent: 0, succeeded: 0, failed: {} } };
await Promise.all([
  pace(readsPerSecond, result.reads, (number) => send(number, "GET", PAGES[number % PAGES.length] ?? "/")),
  pace(writesPerSecond, result.writes, (number) =>
    send(number, "POST", "/functions/v1/record-page-view", JSON.stringify({ page_path: "/", session_id: crypto.randomUUID() })),
  ),
]);
await Promise.all(running);
console.log(JSON.stringify(result));
process.exit(0);
