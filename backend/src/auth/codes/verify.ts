import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { addressFields, emailFormat, requirePhone } from "../accounts/addresses.ts";
import { audit } from "../audit.ts";
import { readJson } from "../../read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { limitGuesses } from "../limits.ts";
import { json } from "../responses.ts";
import { type Grant, openSession } from "../tokens/sessions.ts";
import { tokenResponse } from "../tokens/token-response.ts";
import { acceptProof, auditingRefusal, type Proof, requireType } from "./verification.ts";

const bodySchema = z.object({ type: text, token: text, token_hash: text, ...addressFields });

/** The message after the first of two confirmations of an email change. */
export const HALF_CONFIRMED = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** `POST verify`: exchanges a code and its address, or the hash of a link, for a session. */
export async function verify(call: Call): Promise<Response> {
  const proof = readProof(await readJson(call.request, bodySchema));
  if ("address" in proof.name) await limitGuesses(call.auth, proof.name.address);
  const accept = async (tx: Transaction): Promise<Grant | "half"> => {
    const user = await acceptProof(tx, call, proof);
    if (user === "half") return user;
    const grant = await openSession(tx, call, user.id, "otp");
    await audit(tx, call, "login", user);
    return grant;
  };
  const outcome = await auditingRefusal(call, proof.type, () => call.auth.database.transaction(accept));
  if (outcome === "half") return json({ msg: HALF_CONFIRMED, code: "200" });
  return tokenResponse(call.auth, outcome);
}

function readProof({ type, token, token_hash: hash, email, phone }: z.infer<typeof bodySchema>): Proof {
  if (type === "") throw validationFailed("Verify requires a verification type");
  if ((token === "") === (hash === "")) throw validationFailed("Verify requires either a token or a token hash");
  if (hash !== "") {
    if (email !== "" || phone !== "") throw validationFailed("Only the token_hash and type should be provided");
    requireType(type, "email");
    return { type, name: { hash }, channel: "email" };
  }
  if (email !== "" && phone !== "") throw validationFailed("Only an email address or phone number should be provided on verify");
  const channel = phone === "" ? "email" : "phone";
  requireType(type, channel);
  if (channel === "phone") return { type, name: { address: requirePhone(phone), otp: token }, channel };
  if (!emailFormat.safeParse(email).success) throw new AuthError(422, "validation_failed", "Invalid email format");
  return { type, name: { address: email.toLowerCase(), otp: token }, channel };
}
