import * as jose from "jose";
import { expect, test } from "vitest";
import { IdentityError, type IdentityFailure } from "./errors.ts";
import { createJwtKeys, generateSigningKey, type SigningKey } from "./jwt.ts";

const SECRET = "a shared secret of the legacy kind, long enough";
const current = await generateSigningKey();
const former = await generateSigningKey();
const stranger = await generateSigningKey();
const keys = await createJwtKeys([current, former], SECRET);

const now = (): number => Math.floor(Date.now() / 1000);
const claims = (): jose.JWTPayload => ({ sub: "somebody", role: "authenticated", iat: now(), exp: now() + 60 });

async function signWith(
  key: SigningKey,
  payload: jose.JWTPayload,
  header: jose.JWTHeaderParameters = { alg: "ES256", kid: key.kid },
): Promise<string> {
  return new jose.SignJWT(payload).setProtectedHeader(header).sign(await jose.importJWK(key, "ES256"));
}

async function signWithSecret(
  payload: jose.JWTPayload,
  secret: Uint8Array | string,
  header: jose.JWTHeaderParameters = { alg: "HS256" },
): Promise<string> {
  return new jose.SignJWT(payload).setProtectedHeader(header).sign(typeof secret === "string" ? new TextEncoder().encode(secret) : secret);
}

function unsigned(header: object, payload: object, signature = ""): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(payload)}.${signature}`;
}

test("what the current key signed verifies, and names the key", async () => {
  const token = await keys.sign(claims());
  expect(await keys.verify(token)).toMatchObject({ sub: "somebody" });
  expect(jose.decodeProtectedHeader(token)).toEqual({ alg: "ES256", kid: current.kid, typ: "JWT" });
});

test("a key that no longer signs still verifies what it signed", async () => {
  expect(await keys.verify(await signWith(former, claims()))).toMatchObject({ sub: "somebody" });
});

test("a legacy token signed with the shared secret verifies", async () => {
  expect(await keys.verify(await signWithSecret({ role: "service_role" }, SECRET))).toEqual({ role: "service_role" });
});

test("the public keys hold no private part and verify a token by themselves", async () => {
  const shown = keys.publicKeys();
  expect(shown.keys.map(({ kid }) => kid)).toEqual([current.kid, former.kid]);
  for (const key of shown.keys) {
    expect(key).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    expect(key).not.toHaveProperty("d");
  }
  const { payload } = await jose.jwtVerify(await keys.sign(claims()), jose.createLocalJWKSet(shown));
  expect(payload.sub).toBe("somebody");
});

test("a key as the CLI generates it, said to sign and verify, signs", async () => {
  const generated: SigningKey = { ...stranger, key_ops: ["sign", "verify"], ext: true };
  const own = await createJwtKeys([generated], SECRET);
  expect(await own.verify(await own.sign(claims()))).toMatchObject({ sub: "somebody" });
});

test("a key of another kind is refused by its name", async () => {
  const { privateKey } = await jose.generateKeyPair("EdDSA", { extractable: true });
  const key = { ...(await jose.exportJWK(privateKey)), kid: "odd" };
  await expect(createJwtKeys([current, key], SECRET)).rejects.toThrow("Signing key odd is not an ES256 key");
  await expect(createJwtKeys([], SECRET)).rejects.toThrow("at least one signing key");
});

const publicPem = await jose.exportSPKI(await publicKeyOf(current));
const publicJson = JSON.stringify(keys.publicKeys().keys[0]);

async function publicKeyOf(key: SigningKey): Promise<jose.CryptoKey> {
  const { d: _secret, ...open } = key;
  const imported = await jose.importJWK(open, "ES256");
  if (imported instanceof Uint8Array) throw new Error("not an asymmetric key");
  return imported;
}

const refused: [attack: string, reason: IdentityFailure, token: () => string | Promise<string>][] = [
  ["has alg none", "malformed", () => unsigned({ alg: "none" }, claims())],
  ["has alg none and our kid", "malformed", () => unsigned({ alg: "none", kid: current.kid }, claims())],
  ["has alg NoNe and a signature", "malformed", () => unsigned({ alg: "NoNe" }, claims(), "AAAA")],
  [
    "has HS256 keyed with our public key as PEM",
    "malformed",
    () => signWithSecret(claims(), publicPem, { alg: "HS256", kid: current.kid }),
  ],
  ["has HS256 keyed with our public key as PEM, without kid", "malformed", () => signWithSecret(claims(), publicPem)],
  ["has HS256 keyed with our public JWK", "malformed", () => signWithSecret(claims(), publicJson, { alg: "HS256", kid: current.kid })],
  [
    "has HS256 with the right secret under our kid",
    "malformed",
    () => signWithSecret(claims(), SECRET, { alg: "HS256", kid: current.kid }),
  ],
  ["has HS384 with the right secret", "malformed", () => signWithSecret(claims(), SECRET.padEnd(48), { alg: "HS384" })],
  ["has HS256 with a wrong secret", "malformed", () => signWithSecret(claims(), "another secret, just as long as the right one")],
  ["is signed by a stranger", "malformed", () => signWith(stranger, claims())],
  ["is signed by a stranger under our kid", "malformed", () => signWith(stranger, claims(), { alg: "ES256", kid: current.kid })],
  ["is signed by us without kid", "malformed", () => signWith(current, claims(), { alg: "ES256" })],
  ["is signed by our former key under the current kid", "malformed", () => signWith(former, claims(), { alg: "ES256", kid: current.kid })],
  [
    "brings its own key",
    "malformed",
    async () => signWith(stranger, claims(), { alg: "ES256", jwk: await jose.exportJWK(await publicKeyOf(stranger)) }),
  ],
  ["demands an extension", "malformed", () => unsigned({ alg: "ES256", kid: current.kid, crit: ["exp"], exp: 1 }, claims(), "AAAA")],
  ["has expired", "expired", () => keys.sign({ ...claims(), exp: now() - 1 })],
  ["was issued in the future", "claims", () => keys.sign({ ...claims(), iat: now() + 300 })],
  ["is not valid yet", "claims", () => keys.sign({ ...claims(), nbf: now() + 300 })],
  ["has an exp that is no number", "claims", () => unsafeSign({ ...claims(), exp: "never" })],
  ["has an iat that is no number", "claims", () => unsafeSign({ ...claims(), iat: "today" })],
  [
    "has another's payload",
    "malformed",
    async () => (await keys.sign(claims())).replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"me"}').toString("base64url")}.`),
  ],
  ["has a payload that is no object", "malformed", () => unsigned({ alg: "ES256", kid: current.kid }, [1], "AAAA")],
  ["has two parts", "malformed", () => "e30.e30"],
  ["is encrypted, with five parts", "malformed", () => "e30.e30.e30.e30.e30"],
  ["is empty", "malformed", () => ""],
  ["is no token", "malformed", () => "not a token"],
];

async function unsafeSign(payload: object): Promise<string> {
  return new jose.CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: "ES256", kid: current.kid })
    .sign(await jose.importJWK(current, "ES256"));
}

test.each(refused)("a token that %s is refused as %s", async (_attack, reason, token) => {
  const failure = await keys.verify(await token()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(IdentityError);
  expect(failure).toMatchObject({ reason });
});
