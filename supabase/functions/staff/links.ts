import type { AuthError } from "@supabase/supabase-js";
import type { ProjectClient } from "../_shared/runtime.ts";
import type { LinkCommand } from "./command.ts";

/** Dependencies of commands. */
export interface CommandContext {
  service: ProjectClient;
  /** The page on which a password is chosen; undefined if the caller's site is not known. */
  passwordPage: string | undefined;
  hasMailServer: boolean;
}

/** The result of a command: a link for the caller or a mail that was sent, if any, or the error of the auth service. */
export type CommandResult = { ok: true; delivery?: { link: string } | { mailed: true } } | { ok: false; error: AuthError };

/** A link into a new account, or into one that has an owner. */
interface LinkTarget {
  type: "invite" | "recovery";
  email: string;
  data?: { display_name: string };
}

const PASSWORD_PAGE = "/admin/password";

/** Makes a link and returns it. The token is in the fragment, which browsers do not send to servers. */
export async function handOverLink(command: LinkCommand, context: CommandContext): Promise<CommandResult> {
  const { service, passwordPage } = context;
  const target = await linkTarget(command, context);
  if ("error" in target) return { ok: false, error: target.error };
  const options = { ...(passwordPage === undefined ? {} : { redirectTo: passwordPage }), ...(target.data ? { data: target.data } : {}) };
  const { data, error } = await service.auth.admin.generateLink({ type: target.type, email: target.email, options });
  if (error) return { ok: false, error };
  const { redirect_to: site, hashed_token: token, verification_type: type } = data.properties;
  // The service replaces a page that is not allowed by the site's own address.
  const link = new URL(PASSWORD_PAGE, site);
  link.hash = new URLSearchParams({ token_hash: token, type }).toString();
  return { ok: true, delivery: { link: link.href } };
}

/** Has the auth service mail a link. */
export async function mailLink(command: LinkCommand, context: CommandContext): Promise<CommandResult> {
  const { service, passwordPage } = context;
  const target = await linkTarget(command, context);
  if ("error" in target) return { ok: false, error: target.error };
  const options = passwordPage === undefined ? {} : { redirectTo: passwordPage };
  const { error } =
    target.type === "invite"
      ? await service.auth.admin.inviteUserByEmail(target.email, { ...options, ...(target.data ? { data: target.data } : {}) })
      : await service.auth.resetPasswordForEmail(target.email, options);
  return error ? { ok: false, error } : { ok: true, delivery: { mailed: true } };
}

async function linkTarget(command: LinkCommand, { service }: CommandContext): Promise<LinkTarget | { error: AuthError }> {
  if (command.act === "invite")
    return { type: "invite", email: command.email, ...(command.name === "" ? {} : { data: { display_name: command.name } }) };
  const { data, error } = await service.auth.admin.getUserById(command.member_id);
  if (error) return { error };
  const { email = "", email_confirmed_at: confirmed } = data.user;
  return { type: confirmed === undefined ? "invite" : "recovery", email };
}
