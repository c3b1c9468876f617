import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { printWaits } from "./probe/print-waits.ts";
import { startProbing, waitsOf } from "./probe/probing.ts";
import { residentMegabytes, startProduct } from "./product.ts";
import { type Result, roundDirectory } from "./round.ts";

/** Clients that hold a connection and send or read as little as possible. */
const KINDS: Record<string, { connections: number; start: (socket: Socket) => void }> = {
  "slow readers": {
    connections: 1000,
    start: (socket) => {
      socket.pause();
      // One request and the four that may wait behind it.
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5));
    },
  },
  "slow bodies": {
    connections: 2000,
    start: (socket) =>
      void socket.write(
        "POST /enquiry HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\na",
      ),
  },
  "idle connections": { connections: 10_000, start: () => undefined },
};

/** Fewer than one client address may open (256). */
const CONNECTIONS_OF_ONE = 100;

/** Connections opened every tenth of a second. */
const OPENED_AT_ONCE = 100;

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
    probing.take();
    const sockets: Socket[] = [];
    while (sockets.length < connections) {
      const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: addressOf(sockets.length) }, () => start(socket));
      socket.on("error", () => socket.destroy());
      if (sockets.push(socket) % OPENED_AT_ONCE === 0) await delay(100);
    }
    let resident = 0;
    const end = performance.now() + Math.max(10, seconds / 3) * 1000;
    while (performance.now() < end) {
      resident = Math.max(resident, await residentMegabytes(product.child.pid));
      await delay(500);
    }
    const open = sockets.filter(({ readyState }) => readyState === "open").length;
    const probes = probing.take();
    for (const socket of sockets) socket.destroy();
    await delay(1000);
    console.log(`\n  ${name}`);
    printWaits(probes);
    const visitor = waitsOf(probes, true);
    const control = waitsOf(probes, false);
    figures[name] =
      `p99 ${visitor.p99} ms (control ${control.p99}), longest ${visitor.longest} (${control.longest}), ${visitor.failed} failed, ${resident} MB, ${open} open at the end`;
    ok &&= visitor.p99 - control.p99 <= LIMITS.p99 && resident <= LIMITS.resident && visitor.failed === 0;
  }
  figures["MB afterwards"] = await residentMegabytes(product.child.pid);
  return { ok, figures };
}

/** Other systems than Linux have one address for the loopback interface. */
function addressOf(index: number): string {
  if (process.platform !== "linux") return "127.0.0.1";
  return `127.1.0.${1 + Math.floor(index / CONNECTIONS_OF_ONE)}`;
}
