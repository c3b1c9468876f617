import { audit } from "../audit.ts";
import type { Caller } from "../bearer.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { mailLink } from "./links.ts";
import { limitMessage } from "../limits.ts";
import { issuePhoneCode, sendPhoneCode } from "./phone-codes.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";

/** `GET reauthenticate`: sends the caller a code that vouches for a change of password. */
export async function reauthenticate(call: Call, { user }: Caller): Promise<Response> {
  const { auth } = call;
  const { email, phone } = user;
  if (!email && !phone) throw validationFailed("Reauthentication requires the user to have an email or a phone number");
  if (email && !user.email_confirmed_at) throw new AuthError(422, "email_not_confirmed", "Please verify your email first.");
  if (!email && !user.phone_confirmed_at) throw new AuthError(422, "phone_not_confirmed", "Please verify your phone first.");
  const channel = email ? "email" : "sms";
  await limitMessage(auth, channel, { address: email || phone || "", purpose: "reauthentication", sent: true });
  const message = await auth.database.transaction(async (tx) => {
    await audit(tx, call, "user_reauthenticate_requested", user);
    if (!email) return issuePhoneCode(tx, auth, { user, phone: phone ?? "", type: "reauthentication" });
    await mailLink(tx, auth, { user, purpose: "reauthentication", mailbox: email, redirectTo: redirectTarget(call) });
    return null;
  });
  auth.mailer.wake();
  await sendPhoneCode(auth, message);
  return json({});
}
