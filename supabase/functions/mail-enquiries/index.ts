import { z } from "zod";
import { logMailFailure } from "../_shared/log-mail-failure.ts";
import { openMailServer } from "../_shared/mail-server.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, siteUrlOf, type FunctionContext, type ProjectClient } from "../_shared/runtime.ts";
import { confirmationMail } from "./confirmation-mail.ts";
import { claimedMailSchema, officeMail, type ClaimedMail } from "./enquiry-mail.ts";

/** The most mails of one call; the next call continues. */
const MOST_MAILS = 50;

/**
 * Mails enquiries that were not mailed yet to the provider, and confirmations of requests to visitors. Anybody may call it: it reads nothing
 * from the caller, reveals nothing and sends each mail once. A mail that fails is tried again later, and the response is a 202. Does nothing
 * without SMTP_URL.
 */
async function mailEnquiries(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Mails are sent with POST.", { Allow: "POST" });
  const failures = await sendWaiting(context, request.signal);
  for (const failure of failures) logMailFailure("A mail about an enquiry failed and will be tried again.", failure);
  return failures.length === 0 ? json({ done: true }) : json({ done: false }, 202);
}

/** Sends the mails that are due, one at a time, until the caller leaves, and returns the errors of those that failed. */
async function sendWaiting(context: FunctionContext, signal: AbortSignal): Promise<unknown[]> {
  const mailServer = await openMailServer(context);
  if (!mailServer) return [];
  try {
    const project = projectClient("service_role", context);
    const siteUrl = siteUrlOf(context);
    const failures: unknown[] = [];
    for (let sent = 0; sent < MOST_MAILS && !signal.aborted; sent += 1) {
      const mail = await claim(project);
      if (!mail) return failures;
      try {
        await mailServer.sendMail(mail.kind === "office" ? officeMail(mail) : confirmationMail(mail, siteUrl));
      } catch (error) {
        failures.push(error);
        if (isRefusal(error)) continue;
        return failures;
      }
      const { error } = await project.rpc("note_enquiry_mailed", { enquiry_id: mail.enquiry.id, kind: mail.kind });
      if (error) throw new Error("A sent mail could not be recorded", { cause: error });
    }
    return failures;
  } finally {
    mailServer.close();
  }
}

async function claim(project: ProjectClient): Promise<ClaimedMail | undefined> {
  const { data, error } = await project.rpc("claim_enquiry_mails");
  if (error) throw new Error("The enquiries could not be read", { cause: error });
  return z.array(claimedMailSchema).parse(data)[0];
}

/** True if the mail server refused this one mail. After other errors, such as a lost connection, the next mail would fail too. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EENVELOPE" || error.code === "EMESSAGE");
}

export default { fetch: (request: Request, context: FunctionContext = {}) => mailEnquiries(request, context) };
