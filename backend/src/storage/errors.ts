/** The error codes of Supabase Storage that this API uses; branch on them. */
export type StorageErrorCode =
  | "AccessDenied"
  | "BucketAlreadyExists"
  | "DatabaseError"
  | "DatabaseTimeout"
  | "EntityTooLarge"
  | "ExpiredToken"
  | "FeatureNotEnabled"
  | "ImageProcessingError"
  | "InsufficientStorage"
  | "InternalError"
  | "InvalidBucketName"
  | "InvalidJWT"
  | "InvalidKey"
  | "InvalidMimeType"
  | "InvalidParameter"
  | "InvalidRange"
  | "InvalidRequest"
  | "InvalidSignature"
  | "KeyAlreadyExists"
  | "MissingParameter"
  | "NoSuchBucket"
  | "NoSuchKey"
  | "NoSuchUpload"
  | "ResourceAlreadyExists"
  | "ResourceNotEmpty"
  | "ServiceUnavailable"
  | "SlowDown";

/** A refused request. `statusCode` in the body is the actual status; the HTTP status is mostly 400. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  readonly statusCode: number;
  /** The short form such as `Duplicate`; the code where upstream has none. */
  readonly error: string;
  /** 400 for errors of the caller, as upstream: clients read the body. */
  readonly httpStatus: number;

  constructor(
    code: StorageErrorCode,
    statusCode: number,
    error: string,
    message: string,
    more: { cause?: unknown; httpStatus?: number } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.statusCode = statusCode;
    this.error = error;
    this.httpStatus = more.httpStatus ?? (statusCode >= 500 ? statusCode : 400);
  }
}

export function noSuchBucket(): StorageError {
  return new StorageError("NoSuchBucket", 404, "Bucket not found", "Bucket not found");
}

export function noSuchKey(): StorageError {
  return new StorageError("NoSuchKey", 404, "not_found", "Object not found");
}

export function accessDenied(message: string, cause?: unknown): StorageError {
  return new StorageError("AccessDenied", 403, "Unauthorized", message, { cause });
}

/** The error for an operation that the role may never perform. */
export function roleRefused(): StorageError {
  return new StorageError("AccessDenied", 403, "Unauthorized", "Access denied: Invalid role", { httpStatus: 403 });
}

export function duplicate(code: "BucketAlreadyExists" | "KeyAlreadyExists" | "ResourceAlreadyExists", cause?: unknown): StorageError {
  return new StorageError(code, 409, "Duplicate", "The resource already exists", { cause });
}

export function notEmpty(cause?: unknown): StorageError {
  return new StorageError("ResourceNotEmpty", 409, "ResourceNotEmpty", "The bucket you tried to delete is not empty", { cause });
}

export function tooLarge(message = "The object exceeded the maximum allowed size"): StorageError {
  return new StorageError("EntityTooLarge", 413, "Payload too large", message);
}

export function invalidMimeType(type: string): StorageError {
  return new StorageError("InvalidMimeType", 415, "invalid_mime_type", `mime type ${type} is not supported`);
}

export function invalidKey(name: string): StorageError {
  return new StorageError("InvalidKey", 400, "InvalidKey", `Invalid key: ${name}`);
}

export function invalidRequest(message: string): StorageError {
  return new StorageError("InvalidRequest", 400, "Error", message);
}

export function invalidSignature(message: string): StorageError {
  return new StorageError("InvalidSignature", 400, "InvalidSignature", message);
}

export function featureNotEnabled(feature: string): StorageError {
  return new StorageError("FeatureNotEnabled", 409, "FeatureNotEnabled", `The feature ${feature} is not enabled for this resource`);
}
