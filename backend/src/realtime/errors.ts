/** The codes of realtime errors, as on hosted projects (supabase/realtime, `ERROR_CODES.md`). */
type RealtimeCode =
  | "TopicNameRequired"
  | "InvalidJWTToken"
  | "MalformedJWT"
  | "JwtSignatureError"
  | "Unauthorized"
  | "ChannelRateLimitReached"
  | "ConnectionRateLimitReached"
  | "ClientJoinRateLimitReached"
  | "PrivateOnly"
  | "UnableToReplayMessages"
  | "UnableToConnectToProject"
  | "PostgresChangesSubscribeTimeout"
  | "RealtimeDisabledForConfiguration";

/** The seconds after which a client may repeat a request that gets status 503. */
export const RETRY_AFTER_S = "1";

/** The reason why a channel cannot be joined, used or subscribed to; the message is for developers. */
export class RealtimeError extends Error {
  override readonly name = "RealtimeError";
  readonly code: RealtimeCode;

  constructor(code: RealtimeCode, message: string) {
    super(message);
    this.code = code;
  }

  /** The text that the answer to a join carries. */
  get reason(): string {
    return `${this.code}: ${this.message}`;
  }
}
