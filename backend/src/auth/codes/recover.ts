import { z } from "zod";
import { requireEmail } from "../accounts/addresses.ts";
import { audit } from "../audit.ts";
import { readJson } from "../../read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { challengeFields, type CodeChallenge, readChallenge } from "./flow-state.ts";
import { mailLink } from "./links.ts";
import { limitMessage } from "../limits.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import { findUserByEmail } from "../accounts/users.ts";

const bodySchema = z.object({ email: text, ...challengeFields });

/** `POST recover`: mails a link to choose a new password; the response does not reveal if the account exists. */
export async function recover(call: Call): Promise<Response> {
  const body = await readJson(call.request, bodySchema);
  const challenge = readChallenge(body);
  if (!call.auth.settings.email.enable_signup) throw new AuthError(400, "email_provider_disabled", "Email logins are disabled");
  if (body.email === "") throw validationFailed("Password recovery requires an email");
  const email = requireEmail(body.email);
  await withMinimumDuration(() => mailRecovery(call, email, challenge));
  return json({});
}

async function mailRecovery(call: Call, email: string, challenge: CodeChallenge | undefined): Promise<void> {
  const { auth } = call;
  const known = await auth.database.transaction((tx) => findUserByEmail(tx, email), { readOnly: true });
  await limitMessage(auth, { channel: "email", value: email }, { purpose: "recovery", sent: known !== undefined, client: call.address });
  if (!known) return;
  await auth.database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) return;
    await mailLink(tx, auth, { user, purpose: "recovery", mailbox: email, redirectTo: redirectTarget(call), challenge });
    await audit(tx, call, "user_recovery_requested", user);
  });
  auth.mailer.wake();
}
