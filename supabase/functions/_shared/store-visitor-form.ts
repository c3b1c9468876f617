import { z } from "zod";
import { expectJsonError, JsonError, readJson } from "../../../backend/src/body/read-json.ts";
import { clientNetwork } from "./client-network.ts";
import { errorResponse, json, preflight } from "./response.ts";
import { projectClient, type FunctionContext, type ProjectClient } from "./runtime.ts";

const MAX_BYTES = 32 * 1024;
const RATE_LIMIT_SECONDS = 600;

/** The honeypot: a field that people do not see. */
const honeypotSchema = z.looseObject({ website: z.string().default("") });

interface VisitorForm<Values> {
  /** Checks the body without the honeypot. */
  schema: z.ZodType<Values>;
  /** The word for the form in messages: "enquiry". */
  noun: string;
  /** Stores the values as the service and returns the body of the response, or null if it failed. */
  store: (project: ProjectClient, values: Values, network: { client_network?: string }) => PromiseLike<object | "rate_limited" | null>;
}

/** Handles a request that stores a visitor's form: method, size, honeypot and fields, then the rate limit of the database. */
export async function storeVisitorForm<Values>(
  request: Request,
  context: FunctionContext,
  { schema, noun, store }: VisitorForm<Values>,
): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Forms are sent with POST.", { Allow: "POST" });

  const whole = await readJson(request, honeypotSchema, { maxBytes: MAX_BYTES }).catch(expectJsonError);
  if (whole instanceof JsonError) {
    return whole.reason === "too_large"
      ? errorResponse(413, "body_too_large", `This ${noun} is too long.`)
      : errorResponse(400, `invalid_${noun}`, `The ${noun} is not valid.`);
  }
  const { website, ...fields } = whole;
  const form = schema.safeParse(fields);
  if (!form.success) {
    const field = form.error.issues[0]?.path.join(".");
    return errorResponse(400, `invalid_${noun}`, field ? `${field} is not valid.` : `The ${noun} is not valid.`);
  }
  // The response does not reveal to a program that fills in the honeypot that it was detected.
  if (website !== "") return json({ stored: true }, 201);

  const network = clientNetwork(request);
  const body = await store(projectClient("service_role", context), form.data, network === undefined ? {} : { client_network: network });
  if (body === null) return errorResponse(503, "not_stored", `The ${noun} could not be stored.`, { "Retry-After": "60" });
  if (body === "rate_limited") {
    const headers = { "Retry-After": String(RATE_LIMIT_SECONDS) };
    return errorResponse(429, "rate_limited", "Too many enquiries came from this address.", headers);
  }
  return json(body, 201);
}
