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
  /** The `type` in the link, which `verify` expects. */
  type: string;
}

const PURPOSES = {
  signup: { token: "confirmation_token", mail: "confirmation", type: "signup" },
  invite: { token: "confirmation_token", mail: "invite", type: "invite" },
  magiclink: { token: "recovery_token", mail: "magic_link", type: "magiclink" },
  recovery: { token: "recovery_token", mail: "recovery", type: "recovery" },
  email_change_current: { token: "email_change_token_current", mail: "email_change", type: "email_change" },
  email_change_new: { token: "email_change_token_new", mail: "email_change", type: "email_change" },
  reauthentication: { token: "reauthentication_token", mail: "reauthentication", type: "reauthentication" },
} as const satisfies Record<string, Purpose>;

export type LinkPurpose = keyof typeof PURPOSES;

/** Returns true for a purpose of a mail with a link; a reauthentication has a code only. */
export function isLinkPurpose(purpose: string): purpose is LinkPurpose {
  return Object.hasOwn(PURPOSES, purpose) && purpose !== "reauthentication";
}

/** A link or code for one email address of an account. */
interface LinkRequest {
  user: User;
  purpose: LinkPurpose;
  /** The address that receives the link and is proven by it. */
  mailbox: string;
  /** The final target of the link; must be on the allow-list. */
  redirectTo: string;
  challenge?: CodeChallenge | undefined;
}

interface IssuedLink extends IssuedToken {
  url: string;
  type: string;
}

/** Issues the token of a link, replaces an earlier one, and stores the PKCE flow. */
export async function issueLink(tx: Transaction, auth: AuthContext, request: LinkRequest): Promise<IssuedLink> {
  const { user, mailbox, redirectTo, challenge } = request;
  const { token: type, type: linkType } = PURPOSES[request.purpose];
  const otpLength = auth.settings.email.otp_length;
  const issued = await issueToken(tx, auth, { userId: user.id, type, address: mailbox, otpLength, pkce: challenge !== undefined });
  if (challenge) await startFlow(tx, user.id, challenge, linkType);
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
  const content = renderMail(kind, values, auth.settings.email.template[kind]);
  await auth.mailer.enqueue(tx, { userId: user.id, kind, recipient: mailbox, content });
}
