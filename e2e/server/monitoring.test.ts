import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startProcess, type RunningProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

const METRICS_KEY = "a key of a monitor 0123";

function metrics(url: string, key = METRICS_KEY): Promise<Response> {
  return fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${key}` } });
}

describe("a product with a key for a monitor", () => {
  const cleanup = new AsyncDisposableStack();
  let site: RunningProcess;
  let publishableKey: string;
  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    site = cleanup.use(await startProcess("server/build/site.js", { DATA_DIR: dataDir.path, METRICS_KEY }));
    ({ publishableKey } = JSON.parse(await readFile(join(dataDir.path, "secrets.json"), "utf8")));
  });
  afterAll(() => cleanup.disposeAsync());

  test("a monitor with the key reads requests, figures of the database and the process; others read nothing", async () => {
    const paths = [
      "/",
      "/?category=first-aid",
      "/nowhere-123",
      "/nowhere-456",
      "/no/where/at/all",
      "/favicon-7.ico",
      "/admin/bookings",
      "/blog/rss.xml",
    ];
    const apis = [
      "/rest/v1/no_such_table?select=id",
      "/rest/v1/course_dates?select=id",
      "/rest/v1/course%5Fdates?select=id&limit=1",
      "/functions/v1/no-function",
    ];
    const others = ["/auth/v1/user", "/auth/v1/no-such-endpoint", "/storage/v1/object/public/no-such-bucket/of/mine.png"];
    for (const path of [...paths, ...apis, ...others])
      await (await fetch(site.url + path, path.startsWith("/rest") ? { headers: { apikey: publishableKey } } : {})).text();
    for (const key of ["", "another", `${METRICS_KEY}4`]) {
      const refused = await metrics(site.url, key);
      expect([refused.status, await refused.text()]).toEqual([401, ""]);
    }
    const response = await metrics(site.url);
    expect(response.headers.get("content-type")).toContain("text/plain");
    const text = await response.text();
    for (const line of [
      'larkfell_requests_total{part="site",route="/",status="200"} 2',
      'larkfell_requests_total{part="site",route="/:courseId",status="404"} 2',
      'larkfell_requests_total{part="site",route="other",status="404"} 1',
      'larkfell_requests_total{part="site",route="files",status="404"} 1',
      'larkfell_requests_total{part="site",route="/admin/bookings",status="200"} 1',
      'larkfell_requests_total{part="site",route="/blog/rss.xml",status="200"} 1',
      'larkfell_requests_total{part="rest",route="/rest/v1/course_dates",status="200"} 2',
      'larkfell_requests_total{part="rest",route="other",status="404"} 1',
      'larkfell_requests_total{part="functions",route="other",status="404"} 1',
      'larkfell_requests_total{part="auth",route="/auth/v1/user",status="401"} 1',
      'larkfell_requests_total{part="auth",route="/auth/v1/*",status="404"} 1',
      'larkfell_request_duration_seconds_count{part="rest"} 3',
      "larkfell_websockets 0",
      "larkfell_mails_waiting 0",
      "larkfell_bookings 0",
    ])
      expect(text.split("\n")).toContain(line);
    expect(text.match(/^larkfell_requests_total\{part="storage".*$/gm)).toEqual([
      expect.stringMatching(/route="\/storage\/v1\/object\/public\/:bucket\/:name\{\.\+\}",status="40\d"\} 1$/),
    ]);
    expect(text).toMatch(/^larkfell_page_cache_hits_total [1-9]/m);
    expect(text).toMatch(/^larkfell_database_queue \d/m);
    for (const file of ["alerts.yml", "dashboard.json"]) {
      const names = (await readFile(`docs/monitoring/${file}`, "utf8")).match(/\b(?:larkfell|process|nodejs)_[a-z0-9_]+/g) ?? [];
      for (const name of new Set(names))
        expect(text, `${file} names ${name}`).toMatch(new RegExp(`^# TYPE ${name.replace(/_bucket$/, "")} `, "m"));
    }
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).not.toMatch(/nowhere|no_such_table|no-such|no-function|favicon|first-aid|backup_age_seconds \d/);
  });

  test("a WebSocket whose client resets the connection is not counted any more, and the server keeps running", async () => {
    const socketsOpen = async (): Promise<string | undefined> =>
      /^larkfell_websockets (\d+)$/m.exec(await (await metrics(site.url)).text())?.[1];
    const client = connect(Number(new URL(site.url).port), "127.0.0.1");
    client.write(
      `GET /realtime/v1/websocket?apikey=${publishableKey}&vsn=1.0.0 HTTP/1.1\r\nHost: ${new URL(site.url).host}\r\nConnection: Upgrade\r\n` +
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    const [answer] = await once(client, "data");
    expect(String(answer)).toContain("101 Switching Protocols");
    expect(await socketsOpen()).toBe("1");
    client.resetAndDestroy();
    await expect.poll(socketsOpen).toBe("0");
  });
});

test("a product without a key for a monitor has no metrics", async () => {
  expect((await metrics(inject("publicSiteUrl"))).status).toBe(404);
});
