import type { AuthError } from "@supabase/supabase-js";
import type { Command, LinkCommand } from "./command.ts";
import { handOverLink, mailLink, type CommandContext, type CommandResult } from "./links.ts";

/** A ban duration of a century: until somebody enables the account. */
const FOREVER = "876000h";

/** Runs a command with the service's rights. The database has allowed it before. */
export async function runCommand(command: Command, context: CommandContext): Promise<CommandResult> {
  const { admin } = context.service.auth;
  switch (command.act) {
    case "invite":
    case "link":
      return makeLink(command, context);
    case "make_owner":
      return linkOfNewOwner(command, context);
    case "disable":
      return resultOf(await admin.updateUserById(command.member_id, { ban_duration: FOREVER }));
    case "enable":
      return resultOf(await admin.updateUserById(command.member_id, { ban_duration: "none" }));
    case "remove_factor":
      return removeFactors(command.member_id, context);
    case "make_office":
    case "make_trainer":
      // begin_staff_act has done it.
      return { ok: true };
    case "remove":
      return resultOf(await admin.deleteUser(command.member_id));
  }
}

function makeLink(command: LinkCommand, context: CommandContext): Promise<CommandResult> {
  return context.hasMailServer && !command.by_hand ? mailLink(command, context) : handOverLink(command, context);
}

/** begin_staff_act has given the role and removed the password, unless the person uses single sign-on. */
async function linkOfNewOwner(command: LinkCommand & { member_id: string }, context: CommandContext): Promise<CommandResult> {
  const { data, error } = await context.service.auth.admin.getUserById(command.member_id);
  if (error) return { ok: false, error };
  return data.user.is_sso_user === true ? { ok: true } : makeLink(command, context);
}

async function removeFactors(userId: string, { service }: CommandContext): Promise<CommandResult> {
  const { mfa } = service.auth.admin;
  const listed = await mfa.listFactors({ userId });
  if (listed.error) return { ok: false, error: listed.error };
  for (const { id } of listed.data.factors) {
    const { error } = await mfa.deleteFactor({ id, userId });
    if (error) return { ok: false, error };
  }
  return { ok: true };
}

function resultOf({ error }: { error: AuthError | null }): CommandResult {
  return error ? { ok: false, error } : { ok: true };
}
