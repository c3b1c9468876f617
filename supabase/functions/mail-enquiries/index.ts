import process from "node:process";
import { z } from "zod";
import { json, preflight, refusal } from "../_shared/answer.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { enquirySchema, letterOf } from "./letter.ts";
import { openMailServer } from "./mail-server.ts";

/**
 * Writes to the office about the enquiries it was not written about yet. Anybody may ask for it: it takes nothing from the caller,
 * says nothing of what it did, and sends each letter once. Without a mail server (SMTP_URL) there is nothing to do.
 */
async function mailEnquiries(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return refusal(405, "method_not_allowed", "Mail is asked for with POST.", { Allow: "POST" });

  const env = context.env ?? process.env;
  const smtpUrl = env["SMTP_URL"];
  if (smtpUrl) await sendWaiting(smtpUrl, env["MAIL_FROM"] || undefined, context);
  return json({ done: true });
}

async function sendWaiting(smtpUrl: string, from: string | undefined, context: FunctionContext): Promise<void> {
  const project = projectClient("service_role", context);
  const { data, error } = await project.rpc("claim_enquiry_mails");
  if (error) throw new Error("The enquiries could not be read", { cause: error });
  const enquiries = z.array(enquirySchema).parse(data);
  if (enquiries.length === 0) return;
  const mailServer = await openMailServer(smtpUrl, from);
  try {
    for (const enquiry of enquiries) {
      // A letter that is not taken is tried again later; what follows in this group most likely too.
      await mailServer.sendMail(letterOf(enquiry));
      await project.rpc("note_enquiry_mailed", { enquiry_id: enquiry.id });
    }
  } finally {
    mailServer.close();
  }
}

export default { fetch: (request: Request, context: FunctionContext = {}) => mailEnquiries(request, context) };
