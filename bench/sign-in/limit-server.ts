import { createHash, randomBytes, randomUUID, sign, verify, generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { verify as verifyHash, hash } from "@node-rs/argon2";
import pino from "pino";
import { OWASP_COST } from "../../backend/src/auth/accounts/passwords.ts";
import type { Database, Row, SqlValue } from "../../backend/src/db/database.ts";
import { openPglite } from "../../backend/src/db/pglite/pglite.ts";

// The limit of auth: a bare Node server that does only the unavoidable work of each request. Environment: PORT, DATA_DIR, PASSWORD.
const { PORT, DATA_DIR, PASSWORD } = process.env;
if (PORT === undefined || DATA_DIR === undefined || PASSWORD === undefined) throw new Error("PORT, DATA_DIR and PASSWORD are required");

const database: Database = await openPglite({ dataDir: DATA_DIR, log: pino({ level: "silent" }) });
const USER = randomUUID();
const stored = await hash(PASSWORD, OWASP_COST);
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
await database.transaction(async (tx) => {
  await tx.script(`create table if not exists users (id uuid primary key, account text not null);
    create table if not exists refresh_tokens (token text primary key, user_id uuid not null)`);
  const account = JSON.stringify({ id: USER, email: "someone@larkfell-training.example", padding: "x".repeat(1000) });
  await tx.query("insert into users values ($1, $2)", [USER, account]);
});

type Answer = Record<string, unknown> | string;

/** One signature check and one read transaction. */
async function user({ headers }: IncomingMessage): Promise<Answer> {
  const [head = "", claims = "", signature = ""] = (headers.authorization ?? "").slice("Bearer ".length).split(".");
  const bytes = Buffer.from(signature, "base64url");
  if (!verify("sha256", Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: "ieee-p1363" }, bytes))
    throw new Error("signature");
  const { sub }: { sub: string } = JSON.parse(Buffer.from(claims, "base64url").toString());
  const [row] = await run("select account from users where id = $1", [sub], true);
  return String(row?.["account"]);
}

/** One transaction that replaces the token, and a signature. */
async function refresh(request: IncomingMessage): Promise<Answer> {
  const { refresh_token: old }: { refresh_token: string } = await bodyOf(request);
  const token = newToken();
  const [row] = await run("update refresh_tokens set token = $2 where token = $1 returning user_id", [old, token]);
  return tokens(String(row?.["user_id"]), token);
}

/** One hash, one writing transaction and a signature. */
async function signIn(request: IncomingMessage): Promise<Answer> {
  const { password }: { password: string } = await bodyOf(request);
  if (!(await verifyHash(stored, password))) throw new Error("password");
  const token = newToken();
  await run("insert into refresh_tokens values ($1, $2)", [token, USER]);
  return tokens(USER, token);
}

function run(text: string, values: SqlValue[], readOnly = false): Promise<Row[]> {
  return database.transaction((tx) => tx.last(text, values), { readOnly });
}

// Untyped JSON, as a minimal server would read it.
async function bodyOf<T>(request: IncomingMessage): Promise<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the load generator sends it
  return (await json(request)) as T;
}

function newToken(): string {
  return createHash("sha256").update(randomBytes(16)).digest("hex").slice(0, 12);
}

const HEAD = Buffer.from(JSON.stringify({ alg: "ES256", typ: "JWT" })).toString("base64url");

function tokens(sub: string, token: string): Answer {
  const text = `${HEAD}.${Buffer.from(JSON.stringify({ sub, exp: Math.floor(Date.now() / 1000) + 3600 })).toString("base64url")}`;
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return { access_token: `${text}.${signature}`, refresh_token: token };
}

const ENDPOINTS: Record<string, (request: IncomingMessage) => Promise<Answer>> = {
  "/auth/v1/health": async () => ({}),
  "/auth/v1/user": user,
  "/auth/v1/token?grant_type=refresh_token": refresh,
  "/auth/v1/token?grant_type=password": signIn,
};

createServer((request, response) => {
  const endpoint = ENDPOINTS[request.url ?? ""];
  if (!endpoint) return void response.writeHead(404).end();
  endpoint(request).then(
    (answer) =>
      response.writeHead(200, { "Content-Type": "application/json" }).end(typeof answer === "string" ? answer : JSON.stringify(answer)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(PORT), "127.0.0.1");
process.once("SIGTERM", () => void database.close().then(() => process.exit()));
