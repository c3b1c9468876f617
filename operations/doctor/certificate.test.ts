import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { DAY_MS } from "site/app/time/durations.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkCertificate } from "./certificate.ts";

// Node cannot create certificates.
const openssl = hasOpenssl();
if (!openssl) process.stderr.write("SKIPPED: the tests of the website's certificate need the openssl program\n");

const AUTHORITY = `[ca]
default_ca = authority
[authority]
database = index.txt
serial = serial
new_certs_dir = .
certificate = root.pem
private_key = root.key
default_md = sha256
policy = names
[names]
commonName = supplied
`;

describe.skipIf(!openssl)("a certificate", () => {
  const trusted = getCACertificates("default");
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-certificate-"));
    for (const root of ["root", "stranger"])
      await run("req", "-x509", ...KEY, `${root}.key`, "-out", `${root}.pem`, "-days", "999", "-subj", `/CN=${root}`);
    await writeFile(join(directory, "authority.cnf"), AUTHORITY);
    await writeFile(join(directory, "index.txt"), "");
    await writeFile(join(directory, "serial"), "01");
    setDefaultCACertificates([...trusted, await readFile(join(directory, "root.pem"), "utf8")]);
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await rm(directory, { recursive: true });
  });

  const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout"];
  async function run(...args: string[]): Promise<void> {
    await promisify(execFile)("openssl", args, { cwd: directory });
  }

  /** A certificate of the trusted authority for an address, from and until some days from now. */
  async function sign(name: string, address: string, from: number, until: number): Promise<void> {
    await writeFile(join(directory, `${name}.ext`), `subjectAltName=DNS:${address}`);
    await run("req", ...KEY, `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    const [start = "", end = ""] = [from, until].map((days) =>
      new Date(Date.now() + days * DAY_MS).toISOString().replaceAll(/[-:T]|\.\d+/g, ""),
    );
    const files = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-extfile", `${name}.ext`];
    await run("ca", "-batch", "-notext", "-config", "authority.cnf", ...files, "-startdate", start, "-enddate", end);
  }

  /** Starts a server with this certificate and returns the finding of the check. */
  async function check(name: string): Promise<unknown> {
    const [key, cert] = await Promise.all(["key", "pem"].map((part) => readFile(join(directory, `${name}.${part}`))));
    const server = createServer({ key, cert }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const found = await checkCertificate("localhost", typeof address === "object" ? (address?.port ?? 0) : 0);
    server.close();
    return found;
  }

  test.each([
    ["long", "localhost", -1, 60.5, { state: "pass", text: "The certificate of localhost is valid for 60 more days." }],
    ["short", "localhost", -1, 5.5, { state: "warn", text: "The certificate of localhost is valid for 5 more days: renew it." }],
    ["expired", "localhost", -9, -2, { state: "fail", text: expect.stringContaining("it has expired: renew it.") }],
    ["early", "localhost", 2, 9, { state: "fail", text: expect.stringContaining("check the clock") }],
    ["elsewhere", "another.example", -1, 60, { state: "fail", text: expect.stringContaining("it is for another address") }],
  ])("of a %s time or address is judged", async (name, address, from, until, finding) => {
    await sign(name, address, from, until);
    expect(await check(name)).toEqual(finding);
  });

  test("that no authority signed is refused", async () => {
    expect(await check("stranger")).toEqual({ state: "fail", text: expect.stringContaining("it is self-signed") });
  });
});

test("of a server that does not speak TLS cannot be read", async () => {
  expect(await checkCertificate("localhost", 1)).toEqual({ state: "fail", text: expect.stringContaining("cannot be read") });
});

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
