import { z } from "zod";
import { IdentityError } from "../../errors.ts";
import type { JwtKeys } from "../../jwt/jwt.ts";
import { invalidRequest, StorageError } from "../errors.ts";

/** The claims of a signed link for reading. The scope separates links for reading, links for uploading and sessions. */
export const readingSchema = z.object({
  scope: z.literal("download"),
  url: z.string(),
  exp: z.number(),
  /** Limits the link to one version. */
  versionId: z.string().optional(),
  transformations: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
/** The claims of a signed link for an upload. */
export const writingSchema = z.object({
  scope: z.literal("upload"),
  url: z.string(),
  exp: z.number(),
  owner: z.string().optional(),
  upsert: z.boolean(),
});

export type ReadingClaims = z.infer<typeof readingSchema>;
export type WritingClaims = z.infer<typeof writingSchema>;

/** Signs the claims of a link for a number of seconds. */
export function signLink(jwt: JwtKeys, claims: Omit<ReadingClaims, "exp"> | Omit<WritingClaims, "exp">, seconds: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return jwt.sign({ ...claims, iat: now, exp: now + seconds });
}

/** Verifies a link for reading or for an upload. Fails with a `StorageError` if it is invalid or for another object. */
export async function readLink<T extends { url: string }>(
  jwt: JwtKeys,
  token: string | null,
  path: string,
  schema: z.ZodType<T>,
): Promise<T> {
  if (token === null) throw invalidRequest("querystring must have required property 'token'");
  const claims = await jwt.verify(token).catch((error: unknown) => {
    if (error instanceof IdentityError) throw new StorageError("InvalidJWT", { message: error.message, cause: error });
    throw error;
  });
  const parsed = schema.safeParse(claims);
  if (!parsed.success) throw new StorageError("InvalidSignature", { message: "The token is for something else" });
  if (parsed.data.url !== path) throw new StorageError("InvalidSignature");
  return parsed.data;
}
