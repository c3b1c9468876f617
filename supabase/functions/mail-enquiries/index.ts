import { z } from "zod";
import { openMailServer } from "../_shared/mail-server.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { enquirySchema, mailOf } from "./enquiry-mail.ts";

/**
 * Mails enquiries that were not mailed yet to the provider. Anybody may call it: it reads nothing from the caller, reveals nothing
 * and sends each mail once. Does nothing without SMTP_URL.
 */
async function mailEnquiries(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Mails are sent with POST.", { Allow: "POST" });
  await sendWaiting(context);
  return json({ done: true });
}

async function sendWaiting(context: FunctionContext): Promise<void> {
  const mailServer = await openMailServer(context);
  if (!mailServer) return;
  try {
    const project = projectClient("service_role", context);
    const { data, error } = await project.rpc("claim_enquiry_mails");
    if (error) throw new Error("The enquiries could not be read", { cause: error });
    for (const enquiry of z.array(enquirySchema).parse(data)) {
      // If this fails, this mail and the rest are tried again later.
      await mailServer.sendMail(mailOf(enquiry));
      await project.rpc("note_enquiry_mailed", { enquiry_id: enquiry.id });
    }
  } finally {
    mailServer.close();
  }
}

export default { fetch: (request: Request, context: FunctionContext = {}) => mailEnquiries(request, context) };
