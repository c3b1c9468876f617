import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { printWaits } from "./probe/print-waits.ts";
import { startProbing, waitsOf } from "./probe/probing.ts";
import { residentMegabytes, startProduct } from "./product.ts";
import { type Result, roundDirectory } from "./round.ts";

/** Clients that hold a connection and give as little as they can. */
const KINDS: Record<string, { connections: number; start: (socket: Socket) => void }> = {
  "slow readers": {
    connections: 1000,
    start: (socket) => {
      socket.pause();
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));
    },
  },
  "slow bodies": {
    connections: 2000,
    start: (socket) => void socket.write("POST /enquiry HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na"),
  },
  "idle connections": { connections: 10_000, start: () => undefined },
};

/** The goals: the p99 of another visitor in ms beyond that of the control, and the resident memory in MB. */
const LIMITS = { p99: 500, resident: 350 };

/** Opens slow and idle connections in turn and measures another visitor's answers, beside a control, and the memory meanwhile. */
export async function slowClients(seconds: number): Promise<Result> {
  await using directory = await roundDirectory();
  await using product = await startProduct(directory.path);
  await using probing = await startProbing(product);
  // The first visits after a start are slower without slow clients too.
  await delay(3000);
  const { port } = new URL(product.url);
  const figures: Result["figures"] = { "MB before": await residentMegabytes(product.child.pid) };
  let ok = true;
  for (const [name, { connections, start }] of Object.entries(KINDS)) {
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(Number(port), "127.0.0.1", () => start(socket));
      socket.on("error", () => socket.destroy());
      return socket;
    });
    probing.take();
    let resident = 0;
    const end = performance.now() + Math.max(10, seconds / 3) * 1000;
    while (performance.now() < end) {
      resident = Math.max(resident, await residentMegabytes(product.child.pid));
      await delay(500);
    }
    const probes = probing.take();
    for (const socket of sockets) socket.destroy();
    await delay(1000);
    console.log(`\n  ${name}`);
    printWaits(probes);
    const visitor = waitsOf(probes, true);
    const control = waitsOf(probes, false);
    figures[name] =
      `p99 ${visitor.p99} ms (control ${control.p99}), longest ${visitor.longest} (${control.longest}), ${visitor.failed} failed, ${resident} MB`;
    ok &&= visitor.p99 - control.p99 <= LIMITS.p99 && resident <= LIMITS.resident && visitor.failed === 0;
  }
  figures["MB afterwards"] = await residentMegabytes(product.child.pid);
  return { ok, figures };
}
