import { lengthOf, textOf } from "../forms/form-text.ts";
import { refused, type Checked } from "../frame/outcome.ts";
import type { Role } from "../frame/use-user.ts";
import { nameOf, type StaffPerson } from "../lists/people.ts";

/** The status of an account: invited, able to sign in, or disabled. */
type MemberState = "invited" | "active" | "disabled";

/** An account. */
export interface Member {
  id: string;
  email: string;
  /** The display name; may be empty. */
  name: string;
  role: Role;
  state: MemberState;
  second_factor: boolean;
  last_sign_in_at: string | null;
  created_at: string;
  /** The time of the latest link that was not used; null if there is none. */
  link_made_at: string | null;
  /** True for the account of the signed-in person. */
  own: boolean;
}

/** The commands on accounts. */
export type CommandName = "invite" | "link" | "disable" | "enable" | "remove_factor" | "remove" | `make_${Role}`;

/** The commands on an existing account; `link_by_hand` shows a link instead of mailing it. */
export type MemberCommand = Exclude<CommandName, "invite"> | "link_by_hand";

/** An entry of the account activity. */
export interface Activity {
  id: string;
  act: string;
  actor_email: string;
  member_email: string;
  /** The role that an invited account got; null for other acts. */
  member_role: string | null;
  begun_at: string;
  /** Null if the auth service did not confirm it. */
  done_at: string | null;
}

export const ROLES: Readonly<Record<Role, string>> = { owner: "Owner", office: "Office", trainer: "Trainer" };
/** The roles that an account may give in an invitation. */
export function invitedRoles(own: Role | undefined): Readonly<Record<string, string>> {
  const { office, trainer, owner } = ROLES;
  return own === "owner" ? { office, trainer, owner } : { office, trainer };
}

export const STATES: Readonly<Record<MemberState, string>> = { invited: "Invited", active: "Active", disabled: "Disabled" };

/** The validity of a link: `otp_expiry` of config.toml, in seconds and in words. */
export const LINK_SECONDS = 86_400;
export const LINK_LASTS = "one day";

/** Returns the instant until which the link of an invitation can be used, as ISO text; null if it cannot. */
export function linkEnd({ link_made_at: made }: Pick<Member, "link_made_at">, now = Date.now()): string | null {
  const end = made === null ? now : Date.parse(made) + LINK_SECONDS * 1000;
  return end > now ? new Date(end).toISOString() : null;
}

const LONGEST_NAME = 120;

/** A validated invitation. */
interface Invitation {
  email: string;
  name: string;
  role: Role;
  by_hand: boolean;
}

/** Checks the form of an invitation by the rules of the service. */
export function checkInvitation(form: FormData): Checked<Invitation> {
  const email = textOf(form, "email").toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return refused("Enter the colleague's e-mail address.", "email");
  const name = textOf(form, "name");
  if (lengthOf(name) > LONGEST_NAME) return refused(`Shorten the name to ${LONGEST_NAME} characters.`, "name");
  const chosen = textOf(form, "role");
  const role = chosen === "owner" || chosen === "trainer" ? chosen : "office";
  return { ok: true, value: { email, name, role, by_hand: form.get("by_hand") !== null } };
}

/** Names the person of a row. */
export function whoIs({ name, email }: Pick<Member, "name" | "email">): string {
  return name === "" ? email : `${name}, ${email}`;
}

const DONE: Readonly<Record<string, (who: string) => string>> = {
  invite: (who) => `invited ${who}`,
  link: (who) => `made a link for ${who}`,
  disable: (who) => `disabled ${who}`,
  enable: (who) => `enabled ${who}`,
  remove_factor: (who) => `turned off the sign-in code of ${who}`,
  remove: (who) => `removed ${who}`,
  make_owner: (who) => `made ${who} an owner`,
  make_office: (who) => `gave ${who} the role office`,
  make_trainer: (who) => `made ${who} a trainer`,
};

/** "Jo Airey invited ada@site.example" */
export function activityInWords(
  { act, actor_email, member_email, member_role, done_at: end }: Activity,
  people: readonly StaffPerson[],
): string {
  const actor = nameOf(people, actor_email);
  const member = nameOf(people, member_email);
  const said = `${actor} ${DONE[act]?.(member) ?? `did “${act}” to ${member}`}`;
  const role = member_role === "owner" ? " as an owner" : member_role === "trainer" ? " as a trainer" : "";
  return end === null ? `${said}${role} (not confirmed)` : `${said}${role}`;
}
