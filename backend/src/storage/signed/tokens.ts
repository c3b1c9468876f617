import { z } from "zod";
import { IdentityError } from "../../errors.ts";
import type { JwtKeys } from "../../jwt.ts";
import { invalidSignature, StorageError } from "../errors.ts";

/** What a signed link allows; the scope keeps one for reading from being one for writing, and either from being a session. */
const readingSchema = z.object({
  scope: z.literal("download"),
  url: z.string(),
  exp: z.number(),
  /** The version the link is for, where it is for one. */
  versionId: z.string().optional(),
  transformations: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
const writingSchema = z.object({
  scope: z.literal("upload"),
  url: z.string(),
  exp: z.number(),
  owner: z.string().optional(),
  upsert: z.boolean(),
});

export type ReadingClaims = z.infer<typeof readingSchema>;
export type WritingClaims = z.infer<typeof writingSchema>;

/** Signs what a link allows, for so many seconds. */
export function signLink(jwt: JwtKeys, claims: Omit<ReadingClaims, "exp"> | Omit<WritingClaims, "exp">, seconds: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return jwt.sign({ ...claims, iat: now, exp: now + seconds });
}

/** Reads what a link allows to do with an object. Fails with a `StorageError` where it allows nothing, or something else. */
export function readReadingLink(jwt: JwtKeys, token: string | null, path: string): Promise<ReadingClaims> {
  return readLink(jwt, token, path, readingSchema);
}

/** Reads what a link allows to put at a place. Fails with a `StorageError` where it allows nothing, or something else. */
export function readWritingLink(jwt: JwtKeys, token: string | null, path: string): Promise<WritingClaims> {
  return readLink(jwt, token, path, writingSchema);
}

async function readLink<T extends { url: string }>(jwt: JwtKeys, token: string | null, path: string, schema: z.ZodType<T>): Promise<T> {
  if (token === null) throw new StorageError("InvalidRequest", 400, "Error", "querystring must have required property 'token'");
  const claims = await jwt.verify(token).catch((error: unknown) => {
    if (error instanceof IdentityError) throw new StorageError("InvalidJWT", 400, "InvalidJWT", error.message, { cause: error });
    throw error;
  });
  const parsed = schema.safeParse(claims);
  if (!parsed.success) throw invalidSignature("The token is for something else");
  if (parsed.data.url !== path) throw invalidSignature("Invalid signature");
  return parsed.data;
}
