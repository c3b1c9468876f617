import { clientNetwork } from "../_shared/client-network.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";

/** Counts that a visitor opted out of the statistics. Reads no body. */
async function recordOptOut(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Opt-outs are sent with POST.", { Allow: "POST" });
  const network = clientNetwork(request);
  const { error } = await projectClient("service_role", context).rpc(
    "record_opt_out",
    network === undefined ? {} : { client_network: network },
  );
  if (error) return errorResponse(503, "not_stored", "The opt-out could not be counted.");
  return json({ done: true });
}

export default { fetch: (request: Request, context: FunctionContext = {}) => recordOptOut(request, context) };
