import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConnectionUrl } from "./url.ts";

const BASE = "postgres://user:p%40ss@db.example:6543/main";
let directory: string;
let certificate: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "larkfell-tls-"));
  certificate = join(directory, "root.pem");
  await writeFile(certificate, "a certificate");
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const hostOf = (url: string) => readConnectionUrl(url).hosts[0];

describe("a connection URL", () => {
  test.each([
    ["", "prefer"],
    ["?sslmode=disable", false],
    ["?sslmode=allow", "prefer"],
    ["?sslmode=require", { rejectUnauthorized: false }],
    ["?sslmode=verify-ca", { checkServerIdentity: expect.any(Function) }],
    ["?sslmode=verify-full", { checkServerIdentity: expect.any(Function) }],
    ["?sslrootcert=system", { checkServerIdentity: expect.any(Function) }],
  ])("with %s asks for TLS as libpq does", (query, ssl) => {
    expect(hostOf(BASE + query)?.ssl).toEqual(ssl);
  });

  test("names certificate files, and a root certificate is always checked", () => {
    const ca = Buffer.from("a certificate");
    expect(hostOf(`${BASE}?sslmode=verify-full&sslrootcert=${certificate}`)?.ssl).toMatchObject({ ca });
    expect(hostOf(`${BASE}?sslmode=require&sslrootcert=${certificate}`)?.ssl).toEqual({
      ca,
      checkServerIdentity: expect.any(Function),
    });
    expect(hostOf(`${BASE}?sslmode=verify-full&sslcert=${certificate}&sslkey=${certificate}`)?.ssl).toMatchObject({
      cert: ca,
      key: ca,
    });
  });

  test("with an unknown mode is refused", () => {
    expect(() => readConnectionUrl(`${BASE}?sslmode=very`)).toThrow("sslmode=very is not one of");
  });

  test.each(["?prepare=false", "?pgbouncer=true"])("with %s is for a pooler", (query) => {
    expect(readConnectionUrl(BASE + query)).toMatchObject({ hosts: [{ url: BASE }], prepare: false });
    expect(readConnectionUrl(BASE).prepare).toBe(true);
  });

  test("keeps parameters of the server and drops parameters of other clients", () => {
    const host = hostOf(`${BASE}?channel_binding=require&application_name=site&connection_limit=5`);
    expect(host?.url).toBe(`${BASE}?application_name=site`);
  });

  test("may list several hosts, which share the rest", () => {
    const { hosts } = readConnectionUrl(
      "postgres://user:p%40ss@one.example:6543,[::1]:5433,two.example/main?sslmode=disable&application_name=site",
    );
    expect(hosts.map(({ url }) => url)).toEqual(
      ["one.example:6543", "[::1]:5433", "two.example"].map((host) => `postgres://user:p%40ss@${host}/main?application_name=site`),
    );
  });
});
