import { z } from "zod";
import { logMailFailure } from "../_shared/log-mail-failure.ts";
import { openMailServer } from "../_shared/mail-server.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, siteUrlOf, type FunctionContext } from "../_shared/runtime.ts";
import { confirmationMail } from "./confirmation-mail.ts";
import { claimedMailSchema, officeMail } from "./enquiry-mail.ts";

/**
 * Mails enquiries that were not mailed yet to the provider, and confirmations of requests to visitors. Anybody may call it: it reads nothing from the caller, reveals nothing
 * and sends each mail once. A mail that fails is tried again later, and the response is a 202. Does nothing without SMTP_URL.
 */
async function mailEnquiries(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Mails are sent with POST.", { Allow: "POST" });
  const failures = await sendWaiting(context);
  for (const failure of failures) logMailFailure("A mail about an enquiry failed and will be tried again.", failure);
  return failures.length === 0 ? json({ done: true }) : json({ done: false }, 202);
}

/** Sends the mails that are due and returns the errors of those that failed. */
async function sendWaiting(context: FunctionContext): Promise<unknown[]> {
  const mailServer = await openMailServer(context);
  if (!mailServer) return [];
  try {
    const project = projectClient("service_role", context);
    const claimed = await project.rpc("claim_enquiry_mails");
    if (claimed.error) throw new Error("The enquiries could not be read", { cause: claimed.error });
    const siteUrl = siteUrlOf(context);
    const failures: unknown[] = [];
    for (const mail of z.array(claimedMailSchema).parse(claimed.data)) {
      try {
        await mailServer.sendMail(mail.kind === "office" ? officeMail(mail) : confirmationMail(mail, siteUrl));
      } catch (error) {
        failures.push(error);
        if (!isRefusal(error)) break;
        continue;
      }
      await project.rpc("note_enquiry_mailed", { enquiry_id: mail.enquiry.id, kind: mail.kind });
    }
    return failures;
  } finally {
    mailServer.close();
  }
}

/** True if the mail server refused this one mail. After other errors, such as a lost connection, the next mail would fail too. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EENVELOPE" || error.code === "EMESSAGE");
}

export default { fetch: (request: Request, context: FunctionContext = {}) => mailEnquiries(request, context) };
