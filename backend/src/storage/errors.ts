/** The codes of Storage's refusals that this product gives; branch on them. */
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

/** A request Storage refuses. `statusCode` is the true status, told in the body; the HTTP status is mostly 400. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;
  readonly statusCode: number;
  /** The short form, as `Duplicate`; the code where upstream has no other. */
  readonly error: string;
  /** 400 for what the caller can mend, as upstream: clients read the body. */
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

/** The refusal of a role that may not do something whatever the policies say. */
export function roleRefused(): StorageError {
  return new StorageError("AccessDenied", 403, "Unauthorized", "Access denied: Invalid role", { httpStatus: 403 });
}

export function duplicate(code: "BucketAlreadyExists" | "KeyAlreadyExists" | "ResourceAlreadyExists", cause?: unknown): StorageError {
  return new StorageError(code, 409, "Duplicate", "The resource already exists", { cause });
}

export function notEmpty(cause?: unknown): StorageError {
  return new StorageError("ResourceNotEmpty", 409, "ResourceNotEmpty", "The bucket you tried to delete is not empty", { cause });
}

export function tooLarge(): StorageError {
  return new StorageError("EntityTooLarge", 413, "Payload too large", "The object exceeded the maximum allowed size");
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
