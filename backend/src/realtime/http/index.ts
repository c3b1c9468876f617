import { LRUCache } from "lru-cache";
import { clientGone, ClientGoneError } from "../../client-gone.ts";
import { clientNetwork } from "../../client-network.ts";
import type { Connection } from "../../connection.ts";
import { preflightHeaders } from "../../cors.ts";
import { DatabaseError } from "../../db/database.ts";
import { IdentityError } from "../../errors.ts";
import type { Identify } from "../../identity.ts";
import { TokenBucket } from "../../token-bucket.ts";
import { RealtimeError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { Services } from "../services.ts";
import { broadcastBatch } from "./broadcast-batch.ts";
import { broadcastSingle } from "./broadcast-single.ts";
import { answer, createMayWrite, type Call } from "./call.ts";

const BATCH = "/realtime/v1/api/broadcast";
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/;
const MAX_NETWORKS = 10_000;

/** Makes the endpoints that broadcast over HTTP. */
export function createHttp(services: Services, identify: Identify): (request: Request, connection: Connection) => Promise<Response> {
  const { max_events_per_second: perSecond } = services.limits;
  const events = new LRUCache<string, TokenBucket>({ max: MAX_NETWORKS, memoMethod: () => new TokenBucket({ perSecond }) });

  return async function fetch(request, connection) {
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: preflightHeaders(request) });
    const url = new URL(request.url);
    const [, topic, event] = SINGLE.exec(url.pathname) ?? [];
    if (request.method !== "POST" || (url.pathname !== BATCH && topic === undefined)) return answer(404, { message: "Not Found" });
    try {
      const { role, claims } = await identify(request);
      const network = connection.inProcess ? undefined : clientNetwork(connection.clientAddress);
      const take = (messages: number): boolean => {
        if (network === undefined) return true;
        const isAnonymous = role === "anon";
        // A request that is refused costs nothing.
        if ((isAnonymous && services.throttle.take(network, 0) > 0) || !events.memo(network).take(messages)) return false;
        if (isAnonymous) services.throttle.take(network, messages);
        return true;
      };
      const mayWrite = createMayWrite(services, { role, claims, ...(network !== undefined && { network }) });
      const charge = (message: Message): void => {
        if (network !== undefined && role === "anon")
          services.throttle.take(network, services.topics.of(message.topic, message.private).size);
      };
      const call: Call = { request, url, mayWrite, services, take, charge, maxBytes: services.maxFrameBytes };
      if (topic === undefined || event === undefined) return await broadcastBatch(call);
      return await broadcastSingle(call, topic, event);
    } catch (error) {
      if (error instanceof IdentityError) return answer(401, { message: "Unauthorized" });
      if (error instanceof RealtimeError) return answer(429, { message: error.message });
      if (error instanceof DatabaseError && error.isOutage) return answer(503, { message: "The database is not available at the moment" });
      if (error instanceof ClientGoneError) return clientGone();
      throw error;
    }
  };
}
