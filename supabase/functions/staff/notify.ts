import { provider } from "content/provider.ts";
import { openMailServer } from "../_shared/mail-server.ts";
import type { FunctionContext, ProjectClient } from "../_shared/runtime.ts";
import type { Command } from "./command.ts";
import type { CommandResult } from "./links.ts";

/**
 * Mails the owner of an account that a colleague copied a link to it or removed its second factor. Does nothing without a
 * mail server.
 */
export async function notifyMember(
  command: Command,
  result: CommandResult,
  service: ProjectClient,
  context: FunctionContext,
): Promise<void> {
  if (command.act === "invite") return;
  const text = noticeOf(command, result);
  if (text === undefined) return;
  const { data } = await service.auth.admin.getUserById(command.member_id);
  const mailServer = data.user?.email ? await openMailServer(context) : null;
  if (!mailServer || !data.user?.email) return;
  try {
    await mailServer.sendMail({
      to: data.user.email,
      subject: `Your account at ${provider.name} was changed`,
      text: `${text}\n\nIf you did not ask for this, call the office on ${provider.phone} now.`,
    });
  } finally {
    mailServer.close();
  }
}

function noticeOf({ act }: Command, result: CommandResult): string | undefined {
  if (act === "remove_factor") return "A colleague turned off the sign-in code (from your app) of your staff portal account.";
  if (result.ok && result.delivery && "link" in result.delivery)
    return "A colleague made a link to your staff portal account. Anyone who opens the link can choose a new password.";
  return undefined;
}
