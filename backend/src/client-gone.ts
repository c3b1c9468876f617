/** The status of a request whose client closed the connection, as in nginx; only the log shows it. */
export const CLIENT_GONE = 499;

/** Answers a request that failed because its client closed the connection. */
export function clientGone(): Response {
  return new Response(null, { status: CLIENT_GONE });
}

/** The client closed the connection before the end of its body. */
export class ClientGoneError extends Error {
  override readonly name = "ClientGoneError";
}
