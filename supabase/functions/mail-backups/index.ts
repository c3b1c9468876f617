import { backupProblem } from "content/backup-problems.ts";
import { provider } from "content/provider.ts";
import type { SendMailOptions } from "nodemailer";
import { z } from "zod";
import { londonDate } from "../../../site/app/time/london-date.ts";
import { logMailFailure } from "../_shared/log-mail-failure.ts";
import { openMailServer } from "../_shared/mail-server.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, siteUrlOf, type FunctionContext } from "../_shared/runtime.ts";

const failuresSchema = z.array(z.object({ night: z.string(), problem: z.string() }));

/**
 * Mails failed checks of backups to the provider. Anybody may call it: it reads nothing from the caller, reveals nothing and sends each
 * mail once. A mail that fails is tried again later, and the response is a 202. Does nothing without SMTP_URL.
 */
async function mailBackups(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Mails are sent with POST.", { Allow: "POST" });
  const mailServer = await openMailServer(context);
  if (!mailServer) return json({ done: true });
  try {
    const project = projectClient("service_role", context);
    const { data, error } = await project.rpc("claim_backup_mails");
    if (error) throw new Error("The backup checks could not be read", { cause: error });
    for (const { night, problem } of failuresSchema.parse(data)) {
      await mailServer.sendMail(failureMail(night, problem, siteUrlOf(context)));
      await project.rpc("note_backup_mailed", { night });
    }
    return json({ done: true });
  } catch (error) {
    logMailFailure("A mail about a backup failed and will be tried again.", error);
    return json({ done: false }, 202);
  } finally {
    mailServer.close();
  }
}

function failureMail(night: string, problem: string, siteUrl: string): SendMailOptions {
  const { name, email } = provider;
  return {
    to: { name, address: email },
    subject: `The backup of ${londonDate(night).long} failed`,
    text: [
      `The backup of ${siteUrl} of ${londonDate(night).long} failed because ${backupProblem(problem)}.`,
      "The website works, and earlier backups are kept. Please forward this mail to the person who runs the server: docs/operate.md says what to do.",
      "The next backup is made tomorrow at 03:00. The dashboard of the portal shows the result.",
    ].join("\n\n"),
  };
}

export default { fetch: (request: Request, context: FunctionContext = {}) => mailBackups(request, context) };
