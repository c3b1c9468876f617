/** The mails with a code, by the name of their template in the CLI. */
export type CodeMailKind = "confirmation" | "invite" | "magic_link" | "recovery" | "email_change" | "reauthentication";

/** The mails that only inform; a project cannot replace their text. */
export type NoticeKind = "password_guesses" | "factor_guesses";

export type MailKind = CodeMailKind | NoticeKind;

/** The text of a mail. A code mail without an `action` contains a code and no link; a notice contains neither. */
interface Wording {
  subject: string;
  paragraphs: string[];
  notice?: true;
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
  password_guesses: {
    subject: "Failed attempts to sign in to your account",
    paragraphs: [
      "Ten attempts in a row to sign in as {{ .Email }} failed because of a wrong password. Further attempts are now slowed down.",
      "You can still sign in from places where you signed in before. From other places you may have to wait up to an hour, " +
        'or use "Forgot password?" on the sign-in page.',
    ],
    notice: true,
    closing: "If the attempts were yours, you can ignore this email. If not, make sure that your password is long and used nowhere else.",
  },
  factor_guesses: {
    subject: "Somebody may know your password",
    paragraphs: [
      "Somebody signed in as {{ .Email }} with the correct password and then entered ten wrong codes of the second step. " +
        "Further attempts are now slowed down.",
    ],
    notice: true,
    closing: "If the attempts were yours, you can ignore this email. If not, change your password now; that ends every other session.",
  },
};
