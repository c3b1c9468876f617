import { logMailFailure } from "../_shared/log-mail-failure.ts";
import { accessTokenOf } from "../_shared/access-token.ts";
import { errorResponse, json, notAuthenticated, preflight } from "../_shared/response.ts";
import { hasSmsHook } from "../_shared/text-messages.ts";
import { environmentOf, projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { readCommand, type Command } from "./command.ts";
import { authErrorResponse, refusalResponse } from "./errors.ts";
import { notifyMember } from "./notify.ts";
import { runCommand } from "./run-command.ts";

/**
 * Runs a command on the account of another member of staff: `{act, …}` with act invite, link, disable, enable, remove_factor,
 * remove, make_owner, make_office or make_trainer. The database decides with the caller's own token whether it is allowed, and logs it.
 * Returns `{done: true}`, with `link` or `mailed` for a link. GET returns `{mails, texts}`: whether there is a mail server, and a service for text messages.
 */
async function staff(request: Request, context: FunctionContext): Promise<Response> {
  const hasMailServer = Boolean(environmentOf(context)["SMTP_URL"]);
  if (request.method === "OPTIONS") return preflight();
  if (request.method === "GET") return json({ mails: hasMailServer, texts: hasSmsHook(context) });
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Commands are sent with POST.", { Allow: "GET, POST" });

  const accessToken = accessTokenOf(request);
  if (accessToken === undefined) return notAuthenticated();
  const command = await readCommand(request);
  if (!command) return errorResponse(400, "invalid_command", "The request has no valid command.");

  const begun = await projectClient({ accessToken }, context).rpc("begin_staff_act", argumentsOf(command));
  if (begun.error) return refusalResponse(begun.error.code, command);

  const service = projectClient("service_role", context);
  const result = await runCommand(command, { service, passwordPage: passwordPage(request), hasMailServer });
  if (!result.ok) return authErrorResponse(result.error);
  await service.from("staff_acts").update({ done_at: new Date().toISOString() }).eq("id", begun.data);
  // The command is done; a mail that fails must not make it look otherwise.
  await notifyMember(command, result, service, context).catch((error: unknown) => logMailFailure("The member could not be mailed.", error));
  return json({ done: true, ...result.delivery });
}

function argumentsOf(command: Command) {
  return command.act === "invite"
    ? { act: command.act, member_email: command.email, member_role: command.role }
    : { act: command.act, member_id: command.member_id };
}

/** The password page of the caller's site. The auth service accepts only sites on its list. */
function passwordPage(request: Request): string | undefined {
  const site = URL.parse(request.headers.get("origin") ?? "");
  return site === null ? undefined : new URL("/admin/password", site).href;
}

export default { fetch: (request: Request, context: FunctionContext = {}) => staff(request, context) };
