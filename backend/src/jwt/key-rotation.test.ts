import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import * as jose from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDatabases, testLog } from "../../test/database.ts";
import type { Database } from "../db/database.ts";
import { createBackend, type Backend } from "../index.ts";
import { generateSigningKey, type SigningKey } from "./jwt.ts";

const URL_OF_US = "http://rotating.example";
const KEYS = { publishableKey: "sb_publishable_of-the-rotation", secretKey: "sb_secret_of-the-rotation" };
const STAFF = { email: "staff@larkfell.example", password: "a good long password" };

describeDatabases("replacing the signing key by config.toml", (open) => {
  let database: Database;
  let supabaseDir: string;
  let old: SigningKey;
  let next: SigningKey;
  const started: Backend[] = [];

  beforeAll(async () => {
    database = await open();
    supabaseDir = join(await mkdtemp(join(tmpdir(), "larkfell-rotation-")), "supabase");
    await mkdir(supabaseDir);
    await writeFile(join(supabaseDir, "config.toml"), '[auth]\nsigning_keys_path = "./signing_keys.json"\n[db.seed]\nenabled = false');
    // As the CLI generates them.
    const generate = async (): Promise<SigningKey> => ({ ...(await generateSigningKey()), key_ops: ["sign", "verify"], ext: true });
    [old, next] = [await generate(), await generate()];
  });
  afterAll(async () => {
    for (const backend of started) await backend.close();
    await rm(join(supabaseDir, ".."), { recursive: true, force: true });
  });

  /** Starts a backend on the same database with these keys; the first one signs. */
  async function start(...keys: SigningKey[]): Promise<Backend> {
    await writeFile(join(supabaseDir, "signing_keys.json"), JSON.stringify(keys));
    const own = { ...database, close: async () => undefined };
    const secrets = { ...KEYS, jwtSecret: "the shared secret of the rotation, long enough", signingKeys: [await generateSigningKey()] };
    const backend = await createBackend({ supabaseDir, database: own, secrets, url: URL_OF_US, log: testLog });
    started.push(backend);
    return backend;
  }

  const client = (backend: Backend, key = KEYS.publishableKey): SupabaseClient =>
    createClient(URL_OF_US, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
    });

  async function signIn(backend: Backend): Promise<Session> {
    const { data, error } = await client(backend).auth.signInWithPassword(STAFF);
    if (error) throw error;
    return data.session;
  }

  const kidOf = ({ access_token: token }: Session): unknown => jose.decodeProtectedHeader(token).kid;
  const get = (backend: Backend, path: string, token = ""): Promise<Response> =>
    backend.fetch(
      new Request(URL_OF_US + path, { headers: { apikey: KEYS.publishableKey, ...(token && { authorization: `Bearer ${token}` }) } }),
    );

  test("the new key signs at once, the old one verifies until it is removed, and both are published", async () => {
    const before = await start(old);
    expect((await client(before, KEYS.secretKey).auth.admin.createUser({ ...STAFF, email_confirm: true })).error).toBeNull();
    const session = await signIn(before);
    expect(kidOf(session)).toBe(old.kid);

    const overlap = await start(next, old);
    const { keys }: jose.JSONWebKeySet = await (await get(overlap, "/auth/v1/.well-known/jwks.json")).json();
    expect(keys.map(({ kid }) => kid).slice(0, 2)).toEqual([next.kid, old.kid]);
    expect(JSON.stringify(keys)).not.toContain('"d"');
    expect((await get(overlap, "/auth/v1/user", session.access_token)).status).toBe(200);
    // A caller with a valid token gets 404 for the missing table.
    expect((await get(overlap, "/rest/v1/nothing", session.access_token)).status).toBe(404);
    const claims = await client(overlap).auth.getClaims(session.access_token);
    expect(claims.data?.claims.sub).toBe(session.user.id);
    expect(kidOf(await signIn(overlap))).toBe(next.kid);
    const { data: refreshed } = await client(overlap).auth.refreshSession(session);
    expect(refreshed.session && kidOf(refreshed.session)).toBe(next.kid);

    const after = await start(next);
    expect((await get(after, "/auth/v1/user", session.access_token)).status).toBe(403);
    expect((await get(after, "/rest/v1/nothing", session.access_token)).status).toBe(401);
    expect((await get(after, "/auth/v1/user", refreshed.session?.access_token)).status).toBe(200);
  });

  test("an RS256 key of the CLI signs, and supabase-js and the APIs verify its tokens", async () => {
    const { privateKey } = await jose.generateKeyPair("RS256", { extractable: true });
    const jwk = {
      ...(await jose.exportJWK(privateKey)),
      kid: "an RSA key",
      alg: "RS256",
      use: "sig",
      key_ops: ["sign", "verify"],
      ext: true,
    };
    const backend = await start(jwk, next);
    const session = await signIn(backend);
    expect(jose.decodeProtectedHeader(session.access_token)).toMatchObject({ alg: "RS256", kid: "an RSA key" });
    const { keys }: jose.JSONWebKeySet = await (await get(backend, "/auth/v1/.well-known/jwks.json")).json();
    expect(keys[0]).toMatchObject({ kty: "RSA", alg: "RS256", kid: "an RSA key" });
    expect(Object.keys(keys[0] ?? {})).not.toContain("d");
    expect((await get(backend, "/auth/v1/user", session.access_token)).status).toBe(200);
    expect((await get(backend, "/rest/v1/nothing", session.access_token)).status).toBe(404);
    expect((await client(backend).auth.getClaims(session.access_token)).data?.claims.sub).toBe(session.user.id);
    // A public key is never used as a shared secret.
    const publicText = new TextEncoder().encode(JSON.stringify(keys[0]));
    const forged = new jose.SignJWT(jose.decodeJwt(session.access_token)).setProtectedHeader({ alg: "HS256", kid: "an RSA key" });
    expect((await get(backend, "/auth/v1/user", await forged.sign(publicText))).status).toBe(403);
  });

  test("a token of the old key is valid until it expires, and no new token is signed with that key", async () => {
    const overlap = await start(next, old);
    const { access_token: token } = await signIn(overlap);
    const claims = jose.decodeJwt(token);
    const signer = await jose.importJWK({ ...old, key_ops: ["sign"] }, "ES256");
    const sign = (payload: jose.JWTPayload): Promise<string> =>
      new jose.SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: old.kid }).sign(signer);
    expect((await get(overlap, "/auth/v1/user", await sign(claims))).status).toBe(200);
    expect((await get(overlap, "/auth/v1/user", await sign({ ...claims, exp: 1 }))).status).toBe(403);
  });
});
