import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_REPLY_TO, SHORTEST_REPLY_TO } from "content/enquiry-limits.ts";
import { z } from "zod";
import type { FunctionContext } from "../_shared/runtime.ts";
import { storeVisitorForm } from "../_shared/store-visitor-form.ts";

const enquirySchema = z.strictObject({
  /** Chosen by the sender, so that a retry stores the enquiry once. */
  id: z.uuid(),
  name: z.string().trim().min(1).max(LONGEST_NAME),
  reply_to: z.string().trim().min(SHORTEST_REPLY_TO).max(LONGEST_REPLY_TO),
  message: z.string().trim().min(1).max(LONGEST_MESSAGE),
  course_name: z.string().max(120).nullable().default(null),
});

/** Stores an enquiry of a visitor. Body: `{id, name, reply_to, message, course_name?, website?}` (decision 014). */
function sendEnquiry(request: Request, context: FunctionContext): Promise<Response> {
  return storeVisitorForm(request, context, {
    schema: enquirySchema,
    noun: "enquiry",
    async store(project, { course_name, ...rest }, network) {
      const { data } = await project.rpc("send_enquiry", { ...rest, ...(course_name === null ? {} : { course_name }), ...network });
      return data === null || data === "rate_limited" ? data : { stored: true };
    },
  });
}

export default { fetch: (request: Request, context: FunctionContext = {}) => sendEnquiry(request, context) };
