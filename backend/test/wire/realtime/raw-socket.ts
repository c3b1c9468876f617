import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";

/** A message of version 2.0.0 as a test reads it. */
export type Received = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: { status?: string; response?: unknown },
];

/** A WebSocket without the official client, for frames that it does not send. */
export interface RawSocket extends Disposable {
  ws: WebSocket;
  received: Received[];
  /** Sends a message and returns the response to it. */
  ask(topic: string, event: string, payload: unknown): Promise<Received[4]>;
}

/** Opens a WebSocket of version 2.0.0. */
export async function openRawSocket(url: string): Promise<RawSocket> {
  const ws = new WebSocket(url);
  const received: Received[] = [];
  const waiting = new Map<string, (payload: Received[4]) => void>();
  ws.on("message", (data, isBinary) => {
    if (isBinary || !Buffer.isBuffer(data)) return;
    const frame: Received = JSON.parse(data.toString());
    received.push(frame);
    if (frame[3] === "phx_reply" && frame[1] !== null) waiting.get(frame[1])?.(frame[4]);
  });
  await once(ws, "open");
  let refs = 0;
  return {
    ws,
    received,
    ask: (topic, event, payload) =>
      new Promise((resolve) => {
        const ref = String((refs += 1));
        waiting.set(ref, resolve);
        ws.send(JSON.stringify([event === "phx_join" ? ref : null, ref, topic, event, payload]));
      }),
    [Symbol.dispose]: () => ws.terminate(),
  };
}

/** Returns the status and the headers with which the server accepts or refuses a WebSocket. */
export function upgradeAnswer(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(url, { headers });
    ws.on("upgrade", resolve);
    ws.on("open", () => ws.terminate());
    ws.on("unexpected-response", (_request, response) => {
      response.resume();
      resolve(response);
    });
    ws.on("error", reject);
  });
}

/** Returns the status with which the server refuses a WebSocket; 101 if it accepts it. */
export async function upgradeStatus(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await upgradeAnswer(url, headers)).statusCode ?? 0;
}
