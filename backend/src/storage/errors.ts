/** The errors of Supabase Storage that this API uses, by their code: the actual status, the short form and the usual message. */
const ERRORS = {
  AccessDenied: [403, "Unauthorized", "Access denied"],
  BucketAlreadyExists: [409, "Duplicate", "The resource already exists"],
  DatabaseError: [500, "DatabaseError", "The database failed"],
  DatabaseTimeout: [544, "DatabaseTimeout", "The connection to the database timed out"],
  EntityTooLarge: [413, "Payload too large", "The object exceeded the maximum allowed size"],
  FeatureNotEnabled: [409, "FeatureNotEnabled", "The feature is not enabled for this resource"],
  ImageProcessingError: [422, "ImageProcessingError", "The image cannot be rendered"],
  InsufficientStorage: [507, "Insufficient Storage", "There is no space left to keep the object"],
  InternalError: [500, "Internal", "Internal Server Error"],
  InvalidBucketName: [400, "Invalid Input", "Bucket name invalid"],
  InvalidJWT: [400, "InvalidJWT", "Invalid JWT"],
  InvalidKey: [400, "InvalidKey", "Invalid key"],
  InvalidMimeType: [415, "invalid_mime_type", "mime type is not supported"],
  InvalidParameter: [400, "InvalidParameter", "Invalid Parameter"],
  InvalidRange: [416, "invalid_range", "invalid range provided"],
  InvalidRequest: [400, "Error", "Invalid request"],
  InvalidSignature: [400, "InvalidSignature", "Invalid signature"],
  KeyAlreadyExists: [409, "Duplicate", "The resource already exists"],
  NoSuchBucket: [404, "Bucket not found", "Bucket not found"],
  NoSuchKey: [404, "not_found", "Object not found"],
  ResourceAlreadyExists: [409, "Duplicate", "The resource already exists"],
  ResourceNotEmpty: [409, "ResourceNotEmpty", "The bucket you tried to delete is not empty"],
  ServiceUnavailable: [503, "ServiceUnavailable", "The database is not available at the moment"],
  SlowDown: [503, "SlowDown", "Too many images are being rendered; please try again."],
} as const satisfies Record<string, readonly [statusCode: number, error: string, message: string]>;

/** A refused request; branch on `code`. `statusCode` in the body is the actual status; the HTTP status is mostly 400. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: keyof typeof ERRORS;
  readonly statusCode: number;
  /** The short form such as `Duplicate`; the code where upstream has none. */
  readonly error: string;
  /** 400 for errors of the caller, as upstream: clients read the body. */
  readonly httpStatus: number;

  constructor(
    code: keyof typeof ERRORS,
    { message, cause, ...more }: { message?: string; cause?: unknown; statusCode?: number; error?: string; httpStatus?: number } = {},
  ) {
    const [statusCode, error, usualMessage] = ERRORS[code];
    super(message ?? usualMessage, { cause });
    this.code = code;
    this.statusCode = more.statusCode ?? statusCode;
    this.error = more.error ?? error;
    this.httpStatus = more.httpStatus ?? (this.statusCode >= 500 ? this.statusCode : 400);
  }
}

export function accessDenied(message: string, cause?: unknown): StorageError {
  return new StorageError("AccessDenied", { message, cause });
}

export function invalidRequest(message: string): StorageError {
  return new StorageError("InvalidRequest", { message });
}
