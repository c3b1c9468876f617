import { LONGEST_NAME, LONGEST_PHONE, LONGEST_REPLY_TO, LONGEST_REQUEST_MESSAGE, MOST_PLACES } from "content/enquiry-limits.ts";
import { z } from "zod";
import { hasMailServer } from "../_shared/mail-server.ts";
import type { FunctionContext } from "../_shared/runtime.ts";
import { storeVisitorForm } from "../_shared/store-visitor-form.ts";

// The rules of `bookings`, which a request becomes.
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const PHONE = /\d.*\d.*\d/;

const requestSchema = z
  .strictObject({
    /** Chosen by the sender, so that a retry stores the request once. */
    id: z.uuid(),
    // Any UUID of Postgres; the ids that the portal makes have no version.
    course_id: z.guid(),
    name: z.string().trim().min(1).max(LONGEST_NAME),
    email: z.string().trim().max(LONGEST_REPLY_TO).regex(EMAIL).exactOptional(),
    phone: z.string().trim().min(5).max(LONGEST_PHONE).regex(PHONE).exactOptional(),
    places: z.int().min(1).max(MOST_PLACES),
    message: z.string().trim().max(LONGEST_REQUEST_MESSAGE).default(""),
  })
  .refine(({ email, phone }) => email !== undefined || phone !== undefined, { path: ["email"] });

const answerSchema = z.object({
  outcome: z.enum(["place", "held", "waiting", "closed", "rate_limited"]),
  held_until: z.string().nullable().default(null),
  confirmed: z.boolean().default(false),
});

/**
 * Stores a visitor's request for places on a course date, or puts it on the waiting list of a full one (decision 037). Body: `{id,
 * course_id, name, email or phone or both, places, message?, website?}`; of the response, `outcome` is `place`, `held`, `waiting` or `closed`,
 * `held_until` the end of a hold, and `mailed` is true if a mail confirms the request.
 */
function requestPlace(request: Request, context: FunctionContext): Promise<Response> {
  return storeVisitorForm(request, context, {
    schema: requestSchema,
    noun: "request",
    async store(project, values, network) {
      const { data } = await project.rpc("request_place", { ...values, ...network });
      if (data === null) return null;
      const { outcome, held_until, confirmed } = answerSchema.parse(data);
      return outcome === "rate_limited" ? outcome : { outcome, held_until, mailed: confirmed && hasMailServer(context) };
    },
  });
}

export default { fetch: (request: Request, context: FunctionContext = {}) => requestPlace(request, context) };
