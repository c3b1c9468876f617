import { fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import sharp from "sharp";
import { send } from "./hostile/client.ts";
import type { Target } from "./hostile/endpoints.ts";
import type { Order, Tally } from "./hostile/generator.ts";
import { printCounts, printLog, printProblems } from "./hostile/report.ts";
import { hostileRequest } from "./hostile/requests.ts";
import type { Probe } from "./probe/prober.ts";
import { printWaits } from "./probe/print-waits.ts";
import { longestWaits, startProbing, waitsOf } from "./probe/probing.ts";
import { type Product, residentMegabytes, startProduct } from "./product.ts";
import { type Options, type Result, roundDirectory } from "./round.ts";

/** Longest answer another visitor may get in ms, unless the control waited too. */
const LONGEST_WAIT_MS = 1000;
const REPORT_INTERVAL_MS = 300_000;
const SETTLE_MS = 60_000;
const NICE = 5;

/**
 * Sends generated hostile requests to every public endpoint while a visitor with another address reads pages. Needs Linux, where
 * every address of 127.0.0.0/8 is a client of its own.
 */
export async function hostileRequests(seconds: number, { seed, request, perSecond }: Options): Promise<Result> {
  if (process.platform !== "linux") return { ok: true, skipped: "client addresses other than 127.0.0.1 need Linux", figures: {} };
  await using directory = await roundDirectory();
  await using product = await startProduct(directory.path);
  const target = await publishPost(product);
  if (request !== undefined) return repeat(seed, request, target);

  const rows = await publicRows(product);
  const probes: Probe[] = [];
  const before = await residentMegabytes(product.child.pid);
  let peak = before;
  const tally = await (async () => {
    await using probing = await startProbing(product);
    await delay(2000);
    const generator = startGenerator({ target, seed, perSecond });
    const started = performance.now();
    let reported = started;
    while (performance.now() - started < seconds * 1000 && product.child.exitCode === null) {
      await delay(1000);
      peak = Math.max(peak, await residentMegabytes(product.child.pid));
      probes.push(...probing.take());
      if (performance.now() - reported < REPORT_INTERVAL_MS) continue;
      reported = performance.now();
      const { connections, problems } = await generator.report("report");
      const { p99, longest, failed } = waitsOf(probes, true);
      console.log(
        `  ${new Date().toISOString()} ${connections} requests, ${problems.length} problems, ${peak} MB at most, visitor: p99 ${p99} ms, longest ${longest} ms, ${failed} failed`,
      );
    }
    const result = await generator.report("stop");
    probes.push(...probing.take());
    return result;
  })();
  await delay(Math.min(SETTLE_MS, seconds * 1000));
  const after = await residentMegabytes(product.child.pid);
  const alive = product.child.exitCode === null && product.child.signalCode === null;
  if (!alive) console.log(`  the server has ended:\n${product.output().slice(-4000)}`);
  const intact = alive && (await publicRows(product)) === rows;

  printCounts(tally);
  printProblems(tally, seed);
  printWaits(probes);
  printLog(product.output());
  const [slowest] = longestWaits(probes, 1);
  const visitor = waitsOf(probes, true);
  const isSlow = slowest !== undefined && slowest.probe.ms - slowest.controlMs > LONGEST_WAIT_MS;
  return {
    ok: tally.problems.length === 0 && visitor.failed === 0 && !isSlow && intact,
    figures: {
      seed,
      connections: tally.connections,
      "unexpected answers": tally.problems.length,
      "visitor's longest ms": visitor.longest,
      "control's longest ms": waitsOf(probes, false).longest,
      "failed visits": visitor.failed,
      "MB before": before,
      peak,
      after,
      "public rows": intact ? "unchanged" : "CHANGED",
    },
  };
}

/** Sends one request of an earlier run to a fresh product and prints the request and its response. */
async function repeat(seed: number, number: number, target: Target): Promise<Result> {
  const request = hostileRequest(seed, number, target);
  const answers = await send(request, target.port);
  console.log(
    `${Buffer.concat([...request.pieces])
      .toString("latin1")
      .slice(0, 4000)}\n\n→ ${answers.text}`,
  );
  return {
    ok: !answers.statuses.some((status) => status >= 500),
    figures: { statuses: answers.statuses.join(" "), ms: Math.round(answers.ms) },
  };
}

/** Publishes a post with an image, so that requests for pictures and Open Graph images find something to render. */
async function publishPost(product: Product): Promise<Target> {
  const staff = await product.staff();
  const image = "torture-1200x800.png";
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const bytes = await sharp({ create: { width: 1200, height: 800, channels: 3, background: "teal", noise } })
    .png()
    .toBuffer();
  const upload = await staff.storage.from("post-images").upload(image, bytes, { contentType: "image/png" });
  if (upload.error) throw upload.error;
  const image_url = `/storage/v1/object/public/post-images/${image}`;
  const post = { title: "A post under attack", slug: "a-post-under-attack", author: "Staff", content: "Text", image_url };
  const { error } = await staff.from("blog_posts").insert(post);
  if (error) throw new Error(error.message);
  return { port: Number(new URL(product.url).port), publishableKey: product.publishableKey, slug: post.slug, image };
}

/** Everything that strangers may not change, as one text. */
async function publicRows(product: Product): Promise<string> {
  const staff = await product.staff();
  const tables = await Promise.all(
    (["course_dates", "blog_posts", "bookings", "waiting_list", "changes", "staff_acts"] as const).map((table) =>
      staff.from(table).select("*").order("id"),
    ),
  );
  const objects = await staff.storage.from("post-images").list();
  return JSON.stringify([tables.map(({ data, error }) => data ?? error), objects.data?.map(({ name, updated_at }) => [name, updated_at])]);
}

function startGenerator(order: Order): { report(word: "report" | "stop"): Promise<Tally> } {
  const child = fork(new URL("./hostile/generator.ts", import.meta.url));
  if (child.pid !== undefined) setPriority(child.pid, NICE);
  child.send(order);
  return {
    async report(word) {
      child.send(word);
      const [tally]: Tally[] = await once(child, "message");
      if (!tally) throw new Error("The generator reports nothing.");
      return tally;
    },
  };
}
