import { CORS_HEADERS } from "./cors.ts";

/** The codes of Storage's refusals that this product gives; branch on them. */
export type StorageErrorCode =
  | "AccessDenied"
  | "BucketAlreadyExists"
  | "BucketNotEmpty"
  | "DatabaseTimeout"
  | "EntityTooLarge"
  | "InternalError"
  | "InvalidBucketName"
  | "InvalidJWT"
  | "InvalidKey"
  | "InvalidMimeType"
  | "InvalidParameter"
  | "InvalidRange"
  | "InvalidRequest"
  | "InvalidSignature"
  | "InvalidUploadSignature"
  | "KeyAlreadyExists"
  | "MissingParameter"
  | "NoSuchBucket"
  | "NoSuchKey"
  | "NoSuchUpload"
  | "ResourceAlreadyExists"
  | "StorageFull"
  | "InvalidImage";

/** A request Storage refuses. `statusCode` is the true status, told in the body; the HTTP status is mostly 400. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  readonly statusCode: number;
  /** The short form, as `Not found` or `Duplicate`. */
  readonly error: string;

  constructor(code: StorageErrorCode, statusCode: number, error: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.statusCode = statusCode;
    this.error = error;
  }
}

/** Writes a refusal as Storage does: the true status in the body's `statusCode`. */
export function refusal(error: StorageError, httpStatus = error.statusCode >= 500 ? error.statusCode : 400): Response {
  const { statusCode, error: short, message, code } = error;
  return Response.json({ statusCode: String(statusCode), error: short, message, code }, { status: httpStatus, headers: CORS_HEADERS });
}
