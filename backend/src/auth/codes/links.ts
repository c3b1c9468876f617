import type { Transaction } from "../../db/database.ts";
import type { AuthContext } from "../context.ts";
import { type CodeChallenge, startFlow } from "./flow-state.ts";
import { renderMail } from "../mail/templates.ts";
import type { CodeMailKind } from "../mail/wording.ts";
import { type IssuedToken, issueToken, type TokenType } from "./one-time-tokens.ts";
import type { User } from "../accounts/users.ts";

interface Purpose {
  token: TokenType;
  mail: CodeMailKind;
  /** The column of auth.users with the time of the last message. */
  sentAt: string;
  /** The `type` in the link, which `verify` expects. */
  type: string;
  /** The authentication method of a session that results from a PKCE flow. */
  flow: string;
}

const PURPOSES = {
  signup: { token: "confirmation_token", mail: "confirmation", sentAt: "confirmation_sent_at", type: "signup", flow: "email/signup" },
  invite: { token: "confirmation_token", mail: "invite", sentAt: "confirmation_sent_at", type: "invite", flow: "invite" },
  magiclink: { token: "recovery_token", mail: "magic_link", sentAt: "recovery_sent_at", type: "magiclink", flow: "magiclink" },
  recovery: { token: "recovery_token", mail: "recovery", sentAt: "recovery_sent_at", type: "recovery", flow: "recovery" },
  email_change_current: {
    token: "email_change_token_current",
    mail: "email_change",
    sentAt: "email_change_sent_at",
    type: "email_change",
    flow: "email_change",
  },
  email_change_new: {
    token: "email_change_token_new",
    mail: "email_change",
    sentAt: "email_change_sent_at",
    type: "email_change",
    flow: "email_change",
  },
  reauthentication: {
    token: "reauthentication_token",
    mail: "reauthentication",
    sentAt: "reauthentication_sent_at",
    type: "reauthentication",
    flow: "reauthentication",
  },
} as const satisfies Record<string, Purpose>;

/** The purpose of a link. */
export type LinkPurpose = keyof typeof PURPOSES;

/** A link or code for one email address of an account. */
export interface LinkRequest {
  user: User;
  purpose: LinkPurpose;
  /** The address that receives the link and is proven by it. */
  mailbox: string;
  /** The final target of the link; must be on the allow-list. */
  redirectTo: string;
  challenge?: CodeChallenge | undefined;
}

export interface IssuedLink extends IssuedToken {
  url: string;
  type: string;
}

/** Issues the token of a link, replaces an earlier one, and stores the PKCE flow. */
export async function issueLink(tx: Transaction, auth: AuthContext, request: LinkRequest): Promise<IssuedLink> {
  const { user, mailbox, redirectTo, challenge } = request;
  const { token: type, sentAt, type: linkType, flow } = PURPOSES[request.purpose];
  const otpLength = auth.settings.email.otp_length;
  const issued = await issueToken(tx, auth, { userId: user.id, type, address: mailbox, otpLength, pkce: challenge !== undefined });
  if (challenge) await startFlow(tx, user.id, challenge, flow);
  await tx.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [user.id]);
  const query = new URLSearchParams({ token: issued.hash, type: linkType, redirect_to: redirectTo });
  return { ...issued, type: linkType, url: `${auth.issuer}/verify?${query}` };
}

/** Issues a link and queues its mail; wake the mailer after the commit. */
export async function mailLink(tx: Transaction, auth: AuthContext, request: LinkRequest): Promise<void> {
  const { user, purpose, mailbox, redirectTo } = request;
  const { otp, hash, url } = await issueLink(tx, auth, request);
  const { mail: kind } = PURPOSES[purpose];
  const values = {
    ConfirmationURL: url,
    Token: otp,
    TokenHash: hash,
    SiteURL: auth.redirects.siteUrl,
    Email: user.email ?? mailbox,
    NewEmail: user.email_change ?? "",
    RedirectTo: redirectTo,
  };
  const content = renderMail(kind, values, auth.settings.email.template);
  await auth.mailer.enqueue(tx, { userId: user.id, kind, recipient: mailbox, content });
}
