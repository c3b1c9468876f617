import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../../test/database.ts";
import type { Database } from "../../../db/database.ts";
import { SECRET_KEY, startAuth, type Answer, type TestAuth } from "../../fixture.ts";
import { createIdp, selfSigned } from "./idp-fixture.ts";
import { isPublic } from "./fetch-metadata.ts";

const addresses: [address: string, family: 4 | 6, open: boolean][] = [
  ["93.184.215.14", 4, true],
  ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", 6, true],
  ["127.0.0.1", 4, false],
  ["0.0.0.0", 4, false],
  ["10.1.2.3", 4, false],
  ["172.31.255.255", 4, false],
  ["172.32.0.1", 4, true],
  ["192.168.0.1", 4, false],
  ["169.254.169.254", 4, false],
  ["100.64.0.1", 4, false],
  ["224.0.0.1", 4, false],
  ["255.255.255.255", 4, false],
  ["::1", 6, false],
  ["::", 6, false],
  ["fe80::1", 6, false],
  ["fd00:ec2::254", 6, false],
  ["::ffff:127.0.0.1", 6, false],
  ["::ffff:93.184.215.14", 6, false],
  ["64:ff9b::7f00:1", 6, false],
  ["2002:7f00:1::", 6, false],
  ["2001:db8::1", 6, false],
];
test.each(addresses)("%s (IPv%i) is a public address: %s", (address, family, open) => {
  expect(isPublic({ address, family })).toBe(open);
});

const idp = createIdp("https://idp.fetched.example");
const requested: string[] = [];
let server: Server;
let origin: string;

// One for both databases: OpenSSL confuses two authorities with the same name.
beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const certificate = selfSigned(publicKey, privateKey, "localhost").toString("base64");
  const cert = `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join("\n") ?? ""}\n-----END CERTIFICATE-----\n`;
  setDefaultCACertificates([...getCACertificates("default"), cert]);
  server = createServer({ key: privateKey.export({ type: "pkcs8", format: "pem" }), cert }, (request, response) => {
    requested.push(request.url ?? "");
    if (request.url === "/metadata") response.end(idp.metadata);
    else if (request.url === "/moved") response.writeHead(302, { location: "/metadata" }).end(idp.metadata);
    else if (request.url === "/long") response.end("x".repeat(1024 * 1024 + 1));
    else if (request.url === "/broken") response.destroy();
    else response.writeHead(404).end("<a/>");
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const address = server.address();
  origin = `https://localhost:${typeof address === "object" && address ? address.port : 0}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describeDatabases("SAML metadata from a URL", (open) => {
  let database: Database;
  let trusting: TestAuth;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    trusting = await startAuth(database, { sso: { enabled: true } }, {}, { privateNetworks: true });
    api = await startAuth(database, { sso: { enabled: true } });
  });

  const create = (by: TestAuth, metadata_url: string): Promise<Answer> =>
    by.send("POST", "/admin/sso/providers", { token: SECRET_KEY, body: { type: "saml", metadata_url, domains: ["fetched.example"] } });

  test("is fetched, stored with its URL, and fetched again on request", async () => {
    requested.length = 0;
    const { status, body } = await create(trusting, `${origin}/metadata`);
    expect(status).toBe(201);
    expect(body).toMatchObject({ saml: { entity_id: idp.entityId, metadata_url: `${origin}/metadata`, metadata_xml: idp.metadata } });
    const begun = await trusting.send("POST", "/sso", { body: { domain: "fetched.example", skip_http_redirect: true } });
    expect(String(begun.body.url)).toMatch(/^https:\/\/idp\.fetched\.example\/sso\?SAMLRequest=/);
    const path = `/admin/sso/providers/${String(body.id)}`;
    const renewed = await trusting.send("PUT", path, { token: SECRET_KEY, body: { metadata_url: `${origin}/metadata` } });
    expect([renewed.status, requested.length]).toEqual([200, 2]);
    await trusting.send("DELETE", path, { token: SECRET_KEY });
  });

  test.each(["/moved", "/long", "/broken", "/nothing"])("%s is refused because it is not metadata", async (path) => {
    const { status, body } = await create(trusting, origin + path);
    expect([status, body.error_code]).toEqual([400, "saml_metadata_fetch_failed"]);
  });

  test("hosts and addresses of private networks are never fetched", async () => {
    requested.length = 0;
    const port = new URL(origin).port;
    for (const host of ["localhost", "127.0.0.1", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1"]) {
      const { status, body } = await create(api, `https://${host}:${port}/metadata`);
      expect([status, body.error_code, body.msg], host).toEqual([
        400,
        "validation_failed",
        "metadata_url leads to a private address: give metadata_xml instead",
      ]);
    }
    expect((await create(api, "https://nowhere.invalid/metadata")).body.error_code).toBe("saml_metadata_fetch_failed");
    expect(requested).toEqual([]);
  });

  test("an untrusted certificate is refused", async () => {
    const { status, body } = await create(trusting, `${origin.replace("localhost", "127.0.0.1")}/metadata`);
    expect([status, body.error_code]).toEqual([400, "saml_metadata_fetch_failed"]);
  });
});
