import pino from "pino";
import { afterEach, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import type { Check, State } from "./health.ts";
import { listen, type Listener } from "./listen.ts";

let server: Listener;
afterEach(() => server.close());

async function start(checks?: readonly Check[]): Promise<void> {
  server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log: pino({ level: "silent" }) });
  if (checks) server.serve(() => Promise.resolve(new Response("page")), undefined, undefined, checks);
}
async function ask(path: "live" | "ready", init: RequestInit = {}): Promise<[number, unknown]> {
  const response = await fetch(`http://127.0.0.1:${server.port}/health/${path}`, init);
  const text = await response.text();
  return [response.status, text.startsWith("{") ? JSON.parse(text) : text];
}
function check(name: string, run: Check["run"], otherwise: Check["otherwise"] = "fail"): Check {
  return { name, otherwise, run };
}

test("a process that starts is live and not ready", async () => {
  await start();
  expect(await ask("live")).toEqual([200, { status: "pass", version: packageJson.version }]);
  expect(await ask("ready")).toEqual([503, { status: "fail" }]);
});

test.each<[State, number, State, State]>([
  ["pass", 200, "pass", "pass"],
  ["warn", 200, "pass", "warn"],
  ["fail", 503, "fail", "warn"],
])("the status is %s, with %d, if one part has %s and the other %s", async (status, code, database, mail) => {
  await start([check("database", () => Promise.resolve(database)), check("mail", () => Promise.resolve(mail))]);
  expect(await ask("ready")).toEqual([code, { status, checks: { database, mail } }]);
  expect(await ask("live")).toEqual([200, { status: "pass", version: packageJson.version }]);
});

test("a part that throws or does not end has its worst state, in bounded time and without its message", async () => {
  await start([
    check("database", () => Promise.reject(new Error("password of jo"))),
    check("mail", () => new Promise(() => undefined), "warn"),
  ]);
  expect(await ask("ready", { signal: AbortSignal.timeout(30_000) })).toEqual([
    503,
    { status: "fail", checks: { database: "fail", mail: "warn" } },
  ]);
});

test("many requests run a check once, and a check that does not end is not run again", async () => {
  let runs = 0;
  await start([check("database", () => new Promise(() => (runs += 1)))]);
  for (let round = 0; round < 2; round += 1) await Promise.all(Array.from({ length: 20 }, () => ask("ready")));
  expect(runs).toBe(1);
});

test("a result is used again for a moment", async () => {
  let runs = 0;
  const count = (): Promise<State> => {
    runs += 1;
    return Promise.resolve("pass");
  };
  await start([check("database", count)]);
  for (let request = 0; request < 20; request += 1) await ask("ready");
  expect(runs).toBeLessThan(20);
});

test("the parts are checked again after a recovery", async () => {
  let state: State = "fail";
  await start([check("database", () => Promise.resolve(state))]);
  expect((await ask("ready"))[0]).toBe(503);
  state = "pass";
  await expect.poll(async () => (await ask("ready"))[0]).toBe(200);
});

test("other methods and paths reach the handler", async () => {
  await start([]);
  expect(await ask("ready", { method: "POST" })).toEqual([200, "page"]);
  expect(await (await fetch(`http://127.0.0.1:${server.port}/health/readyz`)).text()).toBe("page");
});
