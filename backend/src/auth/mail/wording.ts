import type { MailKind } from "./templates.ts";

/** What a mail says; without an `action` it carries a code only, and no link. */
interface Wording {
  subject: string;
  paragraphs: string[];
  action?: string;
  closing: string;
}

const NOT_ASKED = "If you did not ask for this, ignore this mail: nothing changes until you use it.";

/** Our own words, for every mail a project has not worded itself. */
export const WORDING: Readonly<Record<MailKind, Wording>> = {
  confirmation: {
    subject: "Confirm your email address",
    paragraphs: ["Please confirm that {{ .Email }} is your address. Your account can be used after that."],
    action: "Confirm this address",
    closing: NOT_ASKED,
  },
  invite: {
    subject: "Your invitation",
    paragraphs: ["You have been given an account at {{ .SiteURL }}. Accept the invitation to sign in and choose a password."],
    action: "Accept the invitation",
    closing: "If you do not know what this is about, ignore this mail: the account stays closed.",
  },
  magic_link: {
    subject: "Your sign-in link",
    paragraphs: ["Here is the link to sign in. It works once."],
    action: "Sign in",
    closing: NOT_ASKED,
  },
  recovery: {
    subject: "Choose a new password",
    paragraphs: ["Somebody, hopefully you, asked for a new password for {{ .Email }}. The link works once."],
    action: "Choose a new password",
    closing: NOT_ASKED,
  },
  email_change: {
    subject: "Confirm your new email address",
    paragraphs: ["Your account is to move from {{ .Email }} to {{ .NewEmail }}. Please confirm it."],
    action: "Confirm the new address",
    closing: "If you did not ask for this, do not confirm it, and change your password.",
  },
  reauthentication: {
    subject: "Your confirmation code",
    paragraphs: ["Enter this code to confirm that it is you."],
    closing: "If you did not ask for this, somebody may be using your account: change your password.",
  },
};
