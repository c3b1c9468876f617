import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createClient, REALTIME_SUBSCRIBE_STATES, type RealtimeChannel, type SupabaseClient } from "@supabase/supabase-js";
import { SignJWT } from "jose";
import pino from "pino";
import { createDatabaseBudget } from "../../../src/anonymous/database-budget.ts";
import { realtimeSchema } from "../../../src/config/realtime.ts";
import type { Database } from "../../../src/db/database.ts";
import { createIdentify, createResolveCredential } from "../../../src/identity.ts";
import { createJwtKeys, generateSigningKey, type JwtKeys } from "../../../src/jwt/jwt.ts";
import { createRealtime, type Realtime } from "../../../src/realtime/index.ts";
import { now } from "../../../src/realtime/moment.ts";
import type { OpenDatabase } from "../../database.ts";

export const PUBLISHABLE_KEY = "sb_publishable_realtime_test_key";
export const SECRET_KEY = "sb_secret_realtime_test_key_value";
const SHARED_SECRET = "a-shared-secret-for-tests-of-32-bytes";

export const VERSIONS = ["1.0.0", "2.0.0"] as const;

/** Limits of `config.toml` that a test needs. */
export type Limits = Partial<ReturnType<typeof realtimeSchema.parse>>;

/** A `/realtime/v1` on a port, and official clients for it. The header `X-Forwarded-For` is the address of a client. */
export interface RealtimeFixture extends AsyncDisposable {
  url: string;
  database: Database;
  jwt: JwtKeys;
  readonly realtime: Realtime;
  /** The messages of the log so far, from the level of warnings. */
  logged: string[];
  /** Lets the service look at its sockets as it will in a while. */
  sweep(afterMs: number): void;
  /** Stops the service and starts it again at the same address, as a new version of the product would. */
  restart(): Promise<void>;
  /** A client of the official library with the publishable key; `accessToken` signs its user in. */
  client(options?: {
    vsn?: string;
    accessToken?: () => Promise<string | null>;
    heartbeatIntervalMs?: number;
    key?: string;
  }): SupabaseClient;
  /** Signs a token of an hour. */
  token(claims?: Record<string, unknown>): Promise<string>;
  /** The address of the WebSocket endpoint. */
  socketUrl(query?: Record<string, string>): string;
}

/** Serves realtime on a fresh database, or on a given one as a second process would. */
export async function openRealtime(
  open: OpenDatabase,
  limits: Limits = {},
  given?: Database,
  // By this clock nothing takes time, so that a busy machine does not use up the budget of anonymous clients.
  budget = createDatabaseBudget(() => 0),
): Promise<RealtimeFixture> {
  const database = given ?? (await open());
  const jwt = await createJwtKeys([await generateSigningKey()], SHARED_SECRET);
  const keys = { publishableKey: PUBLISHABLE_KEY, secretKey: SECRET_KEY };
  const config = { realtime: realtimeSchema.parse(limits) };
  const logged: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const start = (): Promise<Realtime> =>
    createRealtime({
      database,
      resolve: createResolveCredential(keys, jwt),
      identify: createIdentify(keys, jwt),
      config,
      budget,
      log,
    });
  let realtime = await start();
  const addressOf = (header: string | string[] | null | undefined): string => String(header ?? "127.0.0.1");
  const answer = getRequestListener(
    (request) => realtime.fetch(request, { clientAddress: addressOf(request.headers.get("x-forwarded-for")) }),
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.on("upgrade", (incoming, socket, head) => {
    const clientAddress = addressOf(incoming.headers["x-forwarded-for"]);
    void realtime.sockets.accept(incoming, socket, head, { clientAddress });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  const url = `http://127.0.0.1:${address.port}`;
  const clients: SupabaseClient[] = [];
  return {
    url,
    database,
    jwt,
    logged,
    get realtime() {
      return realtime;
    },
    sweep(afterMs) {
      const { date, ms } = now();
      for (const socket of realtime.sockets.open) socket.sweep({ date: date + afterMs, ms: ms + afterMs });
    },
    async restart() {
      await realtime.close();
      realtime = await start();
    },
    client({ key = PUBLISHABLE_KEY, accessToken, ...options } = {}) {
      const client = createClient(url, key, {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        ...(accessToken && { accessToken }),
        realtime: { reconnectAfterMs: () => 50, ...options },
      });
      clients.push(client);
      return client;
    },
    token: (claims = {}) =>
      jwt.sign({ sub: crypto.randomUUID(), role: "authenticated", exp: Math.floor(Date.now() / 1000) + 3600, ...claims }),
    socketUrl: (query = {}) =>
      `${url.replace("http", "ws")}/realtime/v1/websocket?${new URLSearchParams({ apikey: PUBLISHABLE_KEY, vsn: "2.0.0", ...query }).toString()}`,
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.realtime.disconnect()));
      await realtime.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A token that the service has not signed. */
export function strangersToken(): Promise<string> {
  const token = new SignJWT({ role: "authenticated" }).setProtectedHeader({ alg: "HS256" }).setExpirationTime("1h");
  return token.sign(new TextEncoder().encode("another secret, just as long as ours"));
}

/** Subscribes a channel; resolves once it has joined, and fails with the reason of a refusal. */
export function subscribed(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve(channel);
      else reject(error ?? new Error(status));
    });
  });
}
