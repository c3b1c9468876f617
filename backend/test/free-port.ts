import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

// Below the ephemeral ports, so that no outgoing connection takes the port before the server does.
const FIRST = 15_000;
const SPAN = 1000;
let next = randomInt(SPAN);

/** Finds a free port; each worker of a test run has its own range. */
export async function freePort(): Promise<number> {
  const first = FIRST + (Number(process.env["VITEST_POOL_ID"] ?? 0) % 10) * SPAN;
  for (let tries = 0; tries < SPAN; tries += 1) {
    next = (next + 1) % SPAN;
    if (await isFree(first + next)) return first + next;
  }
  throw new Error(`No port from ${first} to ${first + SPAN} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return false;
    throw error;
  }
  probe.close();
  await once(probe, "close");
  return true;
}
