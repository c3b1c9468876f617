import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_REPLY_TO, SHORTEST_REPLY_TO } from "content/enquiry-limits.ts";
import { z } from "zod";
import { clientNetwork } from "../_shared/client-network.ts";
import { readJson } from "../_shared/read-json.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";

const MAX_BODY = 32 * 1024;
const RATE_LIMIT_SECONDS = 600;

const enquirySchema = z.strictObject({
  /** Chosen by the sender, so that a retry stores the enquiry once. */
  id: z.uuid(),
  name: z.string().trim().min(1).max(LONGEST_NAME),
  reply_to: z.string().trim().min(SHORTEST_REPLY_TO).max(LONGEST_REPLY_TO),
  message: z.string().trim().min(1).max(LONGEST_MESSAGE),
  course_name: z.string().max(120).nullable().default(null),
  /** The honeypot: a field that people do not see. */
  website: z.string().default(""),
});

/** Stores an enquiry of a visitor. Body: `{id, name, reply_to, message, course_name?, website?}` (decision 014). */
async function sendEnquiry(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Enquiries are sent with POST.", { Allow: "POST" });

  const { value, tooLarge } = await readJson(request, MAX_BODY);
  if (tooLarge) return errorResponse(413, "body_too_large", "The body is longer than an enquiry can be.");
  const enquiry = enquirySchema.safeParse(value);
  if (!enquiry.success) {
    const field = enquiry.error.issues[0]?.path.join(".");
    return errorResponse(400, "invalid_enquiry", field ? `${field} is not valid.` : "The enquiry is not valid.");
  }
  const { website, course_name, ...rest } = enquiry.data;
  // A program that fills in the honeypot does not learn that it was detected.
  if (website !== "") return json({ stored: true }, 201);

  const network = clientNetwork(request);
  const { data: outcome, error } = await projectClient("service_role", context).rpc("send_enquiry", {
    ...rest,
    ...(course_name === null ? {} : { course_name }),
    ...(network === undefined ? {} : { client_network: network }),
  });
  if (error) return errorResponse(503, "not_stored", "The enquiry could not be stored.", { "Retry-After": "60" });
  if (outcome === "rate_limited") {
    const headers = { "Retry-After": String(RATE_LIMIT_SECONDS) };
    return errorResponse(429, "rate_limited", "Too many enquiries came from this address.", headers);
  }
  return json({ stored: true }, 201);
}

export default { fetch: (request: Request, context: FunctionContext = {}) => sendEnquiry(request, context) };
