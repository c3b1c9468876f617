import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Product } from "../product.ts";
import { percentile } from "../round.ts";
import type { Probe, ProbeOrder } from "./prober.ts";

/** A polite visitor of the product, and of a control at the same times: a bare server in a process of its own. */
interface Probing extends AsyncDisposable {
  /** Returns the probes since the last call. */
  take(): Probe[];
}

/** The requests of the visitor: the home page, a course, an API read and the form. */
export const PROBED_PATHS = [
  "/",
  "/cctv",
  "/rest/v1/course_dates?select=id,course_name,course_date&order=course_date&limit=10",
  "/enquiry",
];

/** Starts to probe every 250 ms. Ends with the returned object. */
export async function startProbing({ url, publishableKey }: Product): Promise<Probing> {
  const control = fork(new URL("./control.ts", import.meta.url));
  const [controlPort]: number[] = await once(control, "message");
  if (controlPort === undefined) throw new Error("The control does not start.");
  const prober = fork(new URL("./prober.ts", import.meta.url));
  let probes: Probe[] = [];
  prober.on("message", (probe: Probe) => void probes.push(probe));
  const product = { port: Number(new URL(url).port), paths: PROBED_PATHS, headers: { apikey: publishableKey } };
  prober.send({ product, controlPort } satisfies ProbeOrder);
  return {
    take() {
      const taken = probes;
      probes = [];
      return taken;
    },
    [Symbol.asyncDispose]: async () => void (await Promise.all([prober, control].map(ended))),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill();
  await exited;
}

/** The summary of the probes of one server. */
interface Waits {
  requests: number;
  failed: number;
  p50: number;
  p99: number;
  longest: number;
}

/** Summarises probes of the product or of the control, of one path or of all. */
export function waitsOf(probes: readonly Probe[], isProduct: boolean, path?: string): Waits {
  const chosen = probes.filter(({ product, path: probed }) => product === isProduct && (path === undefined || probed === path));
  const ms = chosen.map((probe) => probe.ms);
  return {
    requests: chosen.length,
    failed: chosen.filter(({ status }) => status !== 200).length,
    p50: percentile(ms, 0.5),
    p99: percentile(ms, 0.99),
    longest: percentile(ms, 1),
  };
}

/** The longest waits for the product, each with the control's longest wait within two seconds of it. */
export function longestWaits(probes: readonly Probe[], count: number): { probe: Probe; controlMs: number }[] {
  const longest = probes.filter(({ product }) => product).toSorted((a, b) => b.ms - a.ms);
  return longest.slice(0, count).map((probe) => {
    const near = probes.filter(({ product, at, ms }) => !product && at < probe.at + probe.ms + 2000 && at + ms > probe.at - 2000);
    return { probe, controlMs: Math.round(Math.max(0, ...near.map(({ ms }) => ms))) };
  });
}
