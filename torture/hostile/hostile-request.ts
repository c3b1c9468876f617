/** One request, or several on one connection, as the bytes of the connection. */
export interface HostileRequest {
  /** The line of the table. */
  endpoint: string;
  /** The loopback address that the client uses. */
  client: string;
  /** The bytes in the order of sending; between two pieces the client pauses. */
  pieces: readonly Buffer[];
  /** True if the client closes the connection after the last piece, without waiting for an answer. */
  leaves: boolean;
  /** False if a server may wait for more. */
  complete: boolean;
  /** False if the client reads nothing after the first bytes of the answer. */
  reads?: boolean;
}
