/** The kinds of mail, by the name of their template in the CLI. */
export type MailKind = "confirmation" | "invite" | "magic_link" | "recovery" | "email_change" | "reauthentication";

/** The text of a mail; without an `action` the mail contains a code and no link. */
interface Wording {
  subject: string;
  paragraphs: string[];
  action?: string;
  closing: string;
}

const IGNORE = "If you did not request this email, you can ignore it. Nothing changes unless you use it.";

/** The default text of each mail; templates of config.toml replace it. */
export const WORDING: Readonly<Record<MailKind, Wording>> = {
  confirmation: {
    subject: "Confirm your email address",
    paragraphs: ["Please confirm that {{ .Email }} is your email address. You can then use your account."],
    action: "Confirm this address",
    closing: IGNORE,
  },
  invite: {
    subject: "Your invitation",
    paragraphs: ["You have an account at {{ .SiteURL }}. Accept the invitation to sign in and choose a password."],
    action: "Accept the invitation",
    closing: "If you did not expect this invitation, you can ignore this email. The account stays inactive.",
  },
  magic_link: {
    subject: "Your sign-in link",
    paragraphs: ["Use this link to sign in. It works once."],
    action: "Sign in",
    closing: IGNORE,
  },
  recovery: {
    subject: "Choose a new password",
    paragraphs: ["We received a request to set a new password for {{ .Email }}. The link works once."],
    action: "Choose a new password",
    closing: IGNORE,
  },
  email_change: {
    subject: "Confirm your new email address",
    paragraphs: [
      "We received a request to change the email address of your account from {{ .Email }} to {{ .NewEmail }}. Please confirm the change.",
    ],
    action: "Confirm the new address",
    closing: "If you did not request this change, do not confirm it, and change your password.",
  },
  reauthentication: {
    subject: "Your confirmation code",
    paragraphs: ["Enter this code to confirm that it is you."],
    closing: "If you did not request this code, somebody else may be using your account. Change your password.",
  },
};
