import type { Logger } from "pino";
import { CORS_HEADERS } from "./cors.ts";
import type { Connection } from "./connection.ts";
import { logRoute } from "./log-route.ts";

/** One API; the URL of a request still contains the API's prefix. */
interface Api {
  fetch(request: Request, connection: Connection): Promise<Response>;
}

/** The APIs of a project by their prefix, as a hosted project's gateway lays them out. */
type Apis = Record<`/${string}/v1`, Api>;

const PREFIX = /^https?:\/\/[^/?#]*(\/[a-z]+\/v1)(?:[/?#]|$)/;

const NOSNIFF = "X-Content-Type-Options";

/** Makes the gateway: finds the API of a request, and answers an unexpected error with a 500 without details. */
export function createApp(apis: Apis, log: Logger): Api {
  const byPrefix = new Map(Object.entries(apis));
  return {
    async fetch(request, connection) {
      const api = byPrefix.get(PREFIX.exec(request.url)?.[1] ?? "");
      if (!api) return answer(404, "not_found", "There is no API at this address.");
      try {
        return withNosniff(await api.fetch(request, connection));
      } catch (error) {
        log.error({ err: error, route: logRoute(request.url) }, "request failed");
        return answer(500, "internal_error", "The request could not be answered.");
      }
    },
  };
}

/** Forbids browsers to guess the type of a response. The headers of a response that a function fetched cannot be changed. */
function withNosniff(response: Response): Response {
  if (response.headers.has(NOSNIFF)) return response;
  const headers = new Headers(response.headers);
  headers.set(NOSNIFF, "nosniff");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

function answer(status: number, code: string, message: string): Response {
  return Response.json({ code, message }, { status, headers: { ...CORS_HEADERS, [NOSNIFF]: "nosniff" } });
}
