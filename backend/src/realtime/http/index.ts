import { LRUCache } from "lru-cache";
import { clientGone, ClientGoneError } from "../../client-gone.ts";
import { clientNetwork } from "../../client-network.ts";
import type { Connection } from "../../connection.ts";
import { preflightHeaders } from "../../cors.ts";
import { DatabaseError } from "../../db/database.ts";
import { IdentityError } from "../../errors.ts";
import type { Identify } from "../../identity.ts";
import { createRate, type Rate } from "../rate.ts";
import type { Services } from "../services.ts";
import { broadcastBatch } from "./broadcast-batch.ts";
import { broadcastSingle } from "./broadcast-single.ts";
import { answer, type Call } from "./call.ts";

const BATCH = "/realtime/v1/api/broadcast";
const SINGLE = /^\/realtime\/v1\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/;
const MAX_NETWORKS = 10_000;

/** Makes the endpoints that broadcast over HTTP. */
export function createHttp(services: Services, identify: Identify): (request: Request, connection: Connection) => Promise<Response> {
  const { max_events_per_second: perSecond } = services.limits;
  const rates = new LRUCache<string, Rate>({ max: MAX_NETWORKS });

  function rateOf({ clientAddress }: Connection): Rate {
    const network = clientNetwork(clientAddress);
    const known = rates.get(network) ?? createRate(perSecond);
    rates.set(network, known);
    return known;
  }

  return async function fetch(request, connection) {
    if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: preflightHeaders(request) });
    const url = new URL(request.url);
    const [, topic, event] = SINGLE.exec(url.pathname) ?? [];
    if (request.method !== "POST" || (url.pathname !== BATCH && topic === undefined)) return answer(404, { message: "Not Found" });
    try {
      const identity = await identify(request);
      const rate = rateOf(connection);
      const take = (messages: number): boolean => connection.inProcess === true || rate.take(messages);
      const call: Call = { request, url, identity, services, take, maxBytes: services.maxFrameBytes };
      if (topic === undefined || event === undefined) return await broadcastBatch(call);
      return await broadcastSingle(call, topic, event);
    } catch (error) {
      if (error instanceof IdentityError) return answer(401, { message: "Unauthorized" });
      if (error instanceof DatabaseError && error.isOutage) return answer(503, { message: "The database is not available at the moment" });
      if (error instanceof ClientGoneError) return clientGone();
      throw error;
    }
  };
}
