import { addressOf } from "../accounts/addresses.ts";
import { audit } from "../audit.ts";
import type { Caller } from "../bearer.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { limitMessage } from "../limits.ts";
import { json } from "../responses.ts";
import { deliverCode, issueCode } from "./send-code.ts";

/** `GET reauthenticate`: sends the caller a code that a change of password can require. */
export async function reauthenticate(call: Call, { user }: Caller): Promise<Response> {
  const { auth } = call;
  const { email, phone } = user;
  if (!email && !phone) throw validationFailed("Reauthentication requires the user to have an email or a phone number");
  if (email && !user.email_confirmed_at) throw new AuthError(422, "email_not_confirmed", "Please verify your email first.");
  if (!email && !user.phone_confirmed_at) throw new AuthError(422, "phone_not_confirmed", "Please verify your phone first.");
  const address = addressOf(user);
  await limitMessage(auth, address, { purpose: "reauthentication", sent: true });
  const message = await auth.database.transaction(async (tx) => {
    await audit(tx, call, "user_reauthenticate_requested", user);
    return issueCode(tx, call, { user, address, purpose: "reauthentication" });
  });
  await deliverCode(auth, message);
  return json({});
}
