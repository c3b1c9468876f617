import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { WebSocket } from "ws";

/** A message as a test reads it, in the form of version 2.0.0. */
type Received = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: {
    status?: string;
    response?: unknown;
    message?: string;
    data?: { record?: Record<string, unknown> };
    /** Members of a topic by key. */
    payload?: Record<string, unknown>;
    joins?: Record<string, { metas: { phx_ref: string }[] }>;
  },
];

/** A WebSocket without the official client, for frames that it does not send. */
export interface RawSocket extends Disposable {
  ws: WebSocket;
  received: Received[];
  /** Sends a message in the form of the version. */
  send(joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown): void;
  /** Sends a message and returns the response to it. */
  ask(topic: string, event: string, payload: unknown): Promise<Received[4]>;
}

/** Opens a WebSocket of the version that `url` names, by default 1.0.0, as a client at `address`. */
export async function openRawSocket(url: string, address = "127.0.0.1", headers: Record<string, string> = {}): Promise<RawSocket> {
  const isFirst = new URL(url).searchParams.get("vsn") !== "2.0.0";
  const ws = new WebSocket(url, { headers: { "x-forwarded-for": address, ...headers } });
  const received: Received[] = [];
  const waiting = new Map<string, (payload: Received[4]) => void>();
  ws.on("message", (data, isBinary) => {
    if (isBinary || !Buffer.isBuffer(data)) return;
    const frame = isFirst ? received1(data.toString()) : received2(data.toString());
    received.push(frame);
    if (frame[3] === "phx_reply" && frame[1] !== null) waiting.get(frame[1])?.(frame[4]);
  });
  await once(ws, "open");
  let refs = 0;
  function send(joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown): void {
    ws.send(JSON.stringify(isFirst ? { join_ref: joinRef, ref, topic, event, payload } : [joinRef, ref, topic, event, payload]));
  }
  return {
    ws,
    received,
    send,
    ask: (topic, event, payload) =>
      new Promise((resolve) => {
        const ref = String((refs += 1));
        waiting.set(ref, resolve);
        send(event === "phx_join" ? ref : null, ref, topic, event, payload);
      }),
    [Symbol.dispose]: () => ws.terminate(),
  };
}

function received1(text: string): Received {
  const frame: { join_ref: string | null; ref: string | null; topic: string; event: string; payload: Received[4] } = JSON.parse(text);
  return [frame.join_ref, frame.ref, frame.topic, frame.event, frame.payload];
}

function received2(text: string): Received {
  return JSON.parse(text);
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
