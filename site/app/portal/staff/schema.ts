import { lengthOf, textOf } from "../forms/form-text.ts";
import { refused, type Checked } from "../frame/outcome.ts";

/** How an account stands: its owner has chosen no password yet, can sign in, or is kept out. */
export type MemberState = "invited" | "active" | "disabled";

/** Somebody who has an account. */
export interface Member {
  id: string;
  email: string;
  /** What its owner calls themselves; may be empty. */
  name: string;
  state: MemberState;
  second_factor: boolean;
  last_sign_in_at: string | null;
  created_at: string;
  /** Whether it is the reader's own. */
  own: boolean;
}

/** What staff can do to somebody's account. */
export type ActName = "invite" | "link" | "disable" | "enable" | "remove_factor" | "remove";

/** What can be done to an account that is there; a link by hand is mailed to nobody. */
export type MemberAct = Exclude<ActName, "invite"> | "link_by_hand";

/** Something that was done to an account. */
export interface Act {
  id: string;
  act: string;
  actor_email: string;
  member_email: string;
  begun_at: string;
  /** Null where the auth service has not said that it is done. */
  done_at: string | null;
}

export const STATES: Readonly<Record<MemberState, string>> = { invited: "Invited", active: "Active", disabled: "Disabled" };

/** How long a link is good for, in words: `otp_expiry` of config.toml. */
export const LINK_LASTS = "one day";

const LONGEST_NAME = 120;

/** What an invitation needs. */
export interface Invitation {
  email: string;
  name: string;
  by_hand: boolean;
}

/** Checks the form of an invitation by the rules the service has too. */
export function checkInvitation(form: FormData): Checked<Invitation> {
  const email = textOf(form, "email").toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return refused("Enter the colleague's e-mail address.", "email");
  const name = textOf(form, "name");
  if (lengthOf(name) > LONGEST_NAME) return refused(`Shorten the name to ${LONGEST_NAME} characters.`, "name");
  return { ok: true, value: { email, name, by_hand: form.get("by_hand") !== null } };
}

/** Whom a row is about, in words that tell it from the others. */
export function whoIs({ name, email }: Pick<Member, "name" | "email">): string {
  return name === "" ? email : `${name}, ${email}`;
}

const DONE: Readonly<Record<string, (who: string) => string>> = {
  invite: (who) => `invited ${who}`,
  link: (who) => `made a link for ${who}`,
  disable: (who) => `disabled ${who}`,
  enable: (who) => `enabled ${who}`,
  remove_factor: (who) => `removed the second factor of ${who}`,
  remove: (who) => `removed ${who}`,
};

/** "jo@site.example invited ada@site.example" */
export function actInWords({ act, actor_email: actor, member_email: member, done_at: end }: Act): string {
  const said = `${actor} ${DONE[act]?.(member) ?? `did “${act}” to ${member}`}`;
  return end === null ? `${said} (not confirmed)` : said;
}

/** Whether an answer of the service is a list of members. */
export function isMembers(answer: unknown): answer is Member[] {
  return (
    Array.isArray(answer) && answer.every((one: unknown) => typeof one === "object" && one !== null && "email" in one && "state" in one)
  );
}
