import { Agent, get } from "node:http";

// Run as a process of its own: requests the same pages of the product and of a control at the same rate, from another client address.

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
  /** The reason why there was no answer. */
  error?: string;
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
  const done = (result: Pick<Probe, "status" | "error">): void => {
    if (isDone) return;
    isDone = true;
    process.send?.({ product: isProduct, path, at, ms: performance.now() - started, ...result } satisfies Probe);
  };
  const fail = (error: NodeJS.ErrnoException): void => done({ status: 0, error: error.code ?? error.message });
  const request = get({ host: "127.0.0.1", port, path, headers, agent, localAddress: ADDRESS, timeout: PATIENCE_MS }, (response) => {
    response.resume();
    response.once("end", () => done({ status: response.statusCode ?? 0 }));
    response.once("error", fail);
  });
  request.once("timeout", () => request.destroy(new Error("too slow")));
  request.once("error", fail);
}
