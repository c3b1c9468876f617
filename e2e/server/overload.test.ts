import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { startProcess } from "../support/product.ts";

const BURST = 55;
const MAX_RENDERS = 50;

test("while too many pages are being rendered, further ones are refused at once and everything else is answered", async () => {
  const held: ServerResponse[] = [];
  await using backend = createServer((incoming, outgoing) => {
    if (incoming.url?.startsWith("/rest/")) held.push(outgoing);
    else outgoing.end("{}");
  });
  backend.listen(0, "127.0.0.1");
  await once(backend, "listening");
  const address = backend.address();
  if (address === null || typeof address === "string") throw new Error("The backend has no port.");
  const env = { SUPABASE_URL: `http://127.0.0.1:${address.port}`, SUPABASE_PUBLISHABLE_KEY: "sb_publishable_overload" };
  await using site = await startProcess("server/build/site.js", env, { healthPath: "/robots.txt" });

  // Requests for one page share a render.
  const shared = Array.from({ length: BURST }, () => fetch(`${site.url}/cctv`));
  await expect.poll(() => held.length).toBe(1);

  const refused: Response[] = [];
  const burst = Array.from({ length: BURST }, async (_, index) => {
    const response = await fetch(`${site.url}/blog/post-${index}`);
    if (response.status === 503) refused.push(response);
    return response.status;
  });
  await expect.poll(() => refused.length).toBe(BURST - MAX_RENDERS);
  expect(refused[0]?.headers.get("retry-after")).toBe("5");
  expect(await refused[0]?.text()).toContain("We are very busy just now");

  // A flood of addresses does not refuse the pages that all visitors share.
  const page = fetch(`${site.url}/first-aid`);

  const body = new URLSearchParams({ name: "Sam", message: "When is the next one?" });
  const sent = await fetch(`${site.url}/enquiry`, { method: "POST", body, headers: { Origin: site.url } });
  expect([sent.status, await sent.text()]).toEqual([422, expect.stringContaining("When is the next one?")]);

  expect((await fetch(`${site.url}/robots.txt`)).status).toBe(200);
  expect((await fetch(`${site.url}/admin`)).status).toBe(200);
  expect((await fetch(`${site.url}/auth/v1/health`)).status).toBe(200);

  // The renders run one after the other until they wait for the backend. The two course pages share one request.
  await expect.poll(() => held.length).toBe(MAX_RENDERS + 1);
  for (const outgoing of held) outgoing.setHeader("Content-Type", "application/json").end("[]");
  expect(new Set((await Promise.all(shared)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await page).status).toBe(200);
  expect((await Promise.all(burst)).filter((status) => status !== 503)).toHaveLength(MAX_RENDERS);
});
