import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { z } from "zod";
import { parseJson } from "./archive-reader.ts";
import { BackupError } from "./error.ts";

// The costs of OWASP's Password Storage Cheat Sheet for scrypt: 128 MB, about half a second.
const COST = { N: 2 ** 17, r: 8, p: 1 };
const MAX_MEMORY = 256 * 1024 * 1024;
const KEY_BYTES = 32;
const CIPHER = "aes-256-gcm";

const sealedSchema = z.object({
  cipher: z.literal(CIPHER),
  kdf: z.literal("scrypt"),
  N: z.int().max(COST.N),
  r: z.int().max(COST.r),
  p: z.int().max(COST.p),
  salt: z.base64(),
  iv: z.base64(),
  tag: z.base64(),
  data: z.base64(),
});

/** Encrypts bytes with a passphrase (scrypt, AES-256-GCM); the result is JSON with all parameters. */
export async function seal(bytes: Uint8Array, passphrase: string): Promise<Buffer> {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, await deriveKey(passphrase, salt, COST), iv);
  const data = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const [base64Salt, base64Iv, tag, base64Data] = [salt, iv, cipher.getAuthTag(), data].map((part) => part.toString("base64"));
  const sealed = { cipher: CIPHER, kdf: "scrypt", ...COST, salt: base64Salt, iv: base64Iv, tag, data: base64Data };
  return Buffer.from(`${JSON.stringify(sealed, null, 2)}\n`);
}

/** Decrypts what `seal` returned. Fails with a `BackupError` for another passphrase. */
export async function unseal(sealed: Uint8Array, passphrase: string): Promise<Buffer> {
  const { data: fields, error: reason } = sealedSchema.safeParse(parseJson(sealed));
  if (!fields) throw new BackupError("damaged", "The secrets of the backup cannot be read.", reason);
  const { N, r, p, salt, iv, tag, data } = fields;
  const key = await deriveKey(passphrase, Buffer.from(salt, "base64"), { N, r, p });
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, "base64"), { authTagLength: 16 }).setAuthTag(Buffer.from(tag, "base64"));
  try {
    return Buffer.concat([decipher.update(Buffer.from(data, "base64")), decipher.final()]);
  } catch (error) {
    throw new BackupError("passphrase", "The secrets of the backup have another passphrase than BACKUP_PASSPHRASE.", error);
  }
}

function deriveKey(passphrase: string, salt: Uint8Array, cost: typeof COST): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(passphrase.normalize("NFKC"), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
    error ? reject(error) : resolve(key),
  );
  return promise;
}
