import type { IncomingMessage } from "node:http";

/** Time limit for receiving a request, and for a connection on which nothing moves, in ms. */
export const LONGEST_REQUEST_MS = 60_000;
/** Time limit for receiving an uploaded file, in ms. */
export const LONGEST_UPLOAD_MS = 3_600_000;
/** The number of bodies that one client network may be sending at the same time. */
const MAX_BODIES = 64;

/** The body of a request that is being received. */
export interface IncomingBody {
  /** Lets the body take `LONGEST_UPLOAD_MS`, as long as it keeps arriving: for a caller that may upload. Absent without a body. */
  allowLong?: () => void;
}

const NO_BODY: IncomingBody = {};

/**
 * Limits the time and the number of bodies that are being received. The returned function ends a request whose body does not
 * arrive in time, and returns null if the client network is sending too many bodies.
 */
export function limitBodies(patienceMs = LONGEST_REQUEST_MS): (incoming: IncomingMessage, network: string) => IncomingBody | null {
  const sending = new Map<string, number>();

  return (incoming, network) => {
    const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
    if ((length === undefined || length === "0") && encoding === undefined) return NO_BODY;
    const count = (sending.get(network) ?? 0) + 1;
    if (count > MAX_BODIES) return null;
    sending.set(network, count);
    const timer = setTimeout(() => incoming.destroy(), patienceMs).unref();
    let isOver = false;
    function end(): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.off("close", end);
      const left = (sending.get(network) ?? 1) - 1;
      if (left === 0) sending.delete(network);
      else sending.set(network, left);
    }
    const { socket } = incoming;
    // After the response, Node emits no `close` on `incoming` when its socket closes.
    socket.once("close", end);
    incoming.once("end", end).once("close", end);
    return { allowLong: () => clearTimeout(timer) };
  };
}
