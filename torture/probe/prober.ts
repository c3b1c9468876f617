import { Agent, get } from "node:http";

// Run as a process of its own: asks for the same pages of the product and of a control in the same rhythm, from another client address.

/** The parent's message. */
export interface ProbeOrder {
  product: { port: number; paths: readonly string[]; headers: Record<string, string> };
  controlPort: number;
}

/** One probe, sent to the parent. */
export interface Probe {
  /** True for the product, false for the control. */
  product: boolean;
  path: string;
  /** Milliseconds since 1970. */
  at: number;
  ms: number;
  /** 0 if there was no answer. */
  status: number;
}

const INTERVAL_MS = 250;
const PATIENCE_MS = 30_000;
/** Not the address of any other client of the round; other systems have no second one. */
const ADDRESS = process.platform === "linux" ? "127.0.0.2" : "127.0.0.1";

const agent = new Agent({ keepAlive: true });
process.once("message", ({ product, controlPort }: ProbeOrder) => {
  setInterval(() => {
    for (const path of product.paths) {
      probe(true, product.port, path, product.headers);
      probe(false, controlPort, path, product.headers);
    }
  }, INTERVAL_MS);
});
process.on("disconnect", () => process.exit());

function probe(isProduct: boolean, port: number, path: string, headers: Record<string, string>): void {
  const at = Date.now();
  const started = performance.now();
  let isDone = false;
  const done = (status: number): void => {
    if (isDone) return;
    isDone = true;
    process.send?.({ product: isProduct, path, at, ms: performance.now() - started, status } satisfies Probe);
  };
  const request = get({ host: "127.0.0.1", port, path, headers, agent, localAddress: ADDRESS, timeout: PATIENCE_MS }, (response) => {
    response.resume();
    response.once("end", () => done(response.statusCode ?? 0));
    response.once("error", () => done(0));
  });
  request.once("timeout", () => request.destroy(new Error("too slow")));
  request.once("error", () => done(0));
}
