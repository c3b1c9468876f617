import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startOwnPostgres, testLog } from "../../../test/database.ts";
import type { PostgresServer } from "../../../test/postgres/server.ts";
import { openPostgres } from "./postgres.ts";

// Node cannot create certificates.
const openssl = hasOpenssl();
if (!openssl) process.stderr.write("SKIPPED: the tests of TLS to a Postgres server need the openssl program\n");

describe.skipIf(!openssl || inject("postgres") === null)("TLS to a Postgres server", () => {
  let directory: string;
  let server: PostgresServer | null = null;
  const file = (name: string): string => join(directory, name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "larkfell-tls-"));
    for (const root of ["root", "stranger"])
      await run("req", "-x509", ...KEY, `${root}.key`, "-out", `${root}.pem`, "-subj", `/CN=${root}`);
    await sign("server", "/CN=database", "subjectAltName=DNS:localhost");
    await sign("guest", "/CN=guest", "extendedKeyUsage=clientAuth");
    server = await startOwnPostgres({
      tls: { certificate: file("server.pem"), key: file("server.key"), root: file("root.pem") },
      admission: "hostssl all guest 127.0.0.1/32 cert\nhostnossl all careful 127.0.0.1/32 reject",
    });
    for (const role of ["guest", "careful"]) await connect("?sslmode=disable", `create role ${role} login`);
  });
  afterAll(async () => {
    await server?.remove();
    await rm(directory, { recursive: true });
  });

  const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout"];
  async function run(...args: string[]): Promise<void> {
    await promisify(execFile)("openssl", args, { cwd: directory });
  }
  async function sign(name: string, subject: string, extension: string): Promise<void> {
    await writeFile(file(`${name}.ext`), extension);
    await run("req", ...KEY, `${name}.key`, "-out", `${name}.csr`, "-subj", subject);
    const ca = ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-extfile", `${name}.ext`];
    await run("x509", "-req", "-in", `${name}.csr`, "-out", `${name}.pem`, ...ca);
  }

  const SSL = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
  async function connect(query: string, sql = SSL, host = "127.0.0.1", user = "postgres") {
    const url = new URL(server?.url("postgres") ?? "");
    url.search = query;
    url.hostname = host;
    url.username = query.includes("sslcert") ? "guest" : user;
    const database = await openPostgres({ url: url.href, log: testLog });
    try {
      return await database.transaction((tx) => tx.query(sql));
    } finally {
      await database.close();
    }
  }

  test.each([
    ["disable", false],
    ["prefer", true],
    ["require", true],
  ])("is used or not used as sslmode=%s requires", async (mode, ssl) => {
    expect(await connect(`?sslmode=${mode}`)).toEqual([{ ssl }]);
  });

  test("trusts only the configured root certificate", async () => {
    for (const mode of ["require", "verify-ca"]) {
      expect(await connect(`?sslmode=${mode}&sslrootcert=${file("root.pem")}`)).toEqual([{ ssl: true }]);
      await expect(connect(`?sslmode=${mode}&sslrootcert=${file("stranger.pem")}`)).rejects.toMatchObject({ code: "08006" });
    }
    await expect(connect("?sslmode=verify-ca")).rejects.toMatchObject({ code: "08006" });
    await expect(connect("?sslrootcert=system")).rejects.toMatchObject({ code: "08006" });
  });

  test("checks the server's name with verify-full: an IP address is not localhost", async () => {
    const verified = `?sslmode=verify-full&sslrootcert=${file("root.pem")}`;
    expect(await connect(verified, undefined, "localhost")).toEqual([{ ssl: true }]);
    await expect(connect(verified)).rejects.toMatchObject({ code: "08006" });
  });

  test("reaches a server that accepts TLS only", async () => {
    const verified = `?sslmode=verify-full&sslrootcert=${file("root.pem")}`;
    for (const query of [verified, "?sslmode=prefer", ""])
      expect(await connect(query, SSL, "localhost", "careful")).toEqual([{ ssl: true }]);
    await expect(connect("?sslmode=disable", SSL, "localhost", "careful")).rejects.toMatchObject({ code: "28000" });
  });

  test("presents its client certificate", async () => {
    const shown = `sslcert=${file("guest.pem")}&sslkey=${file("guest.key")}`;
    expect(await connect(`?sslmode=require&${shown}`, "select current_user::text as who")).toEqual([{ who: "guest" }]);
    const other = `sslcert=${file("server.pem")}&sslkey=${file("server.key")}`;
    await expect(connect(`?sslmode=require&${other}`)).rejects.toMatchObject({ code: expect.stringMatching(/^(28000|08006)$/) });
  });
});

function hasOpenssl(): boolean {
  try {
    return execFileSync("openssl", ["version"]).length > 0;
  } catch {
    return false;
  }
}
