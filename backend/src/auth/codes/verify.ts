import { z } from "zod";
import { addressFields, emailFormat, requirePhone } from "../accounts/addresses.ts";
import { readJson } from "../../body/read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, errorFields, validationFailed } from "../errors.ts";
import { guessersOf } from "../guesses.ts";
import { limitCodeGuess } from "../limits.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json, redirect } from "../responses.ts";
import { signIn } from "../tokens/sessions.ts";
import { redirectWithResult, tokenResponse, type FlowResult } from "../tokens/token-response.ts";
import { issueAuthCode } from "./flow-state.ts";
import { PKCE_PREFIX } from "./one-time-tokens.ts";
import { acceptProof, type Proof, requireType } from "./verification.ts";

const bodySchema = z.object({ type: text, token: text, token_hash: text, ...addressFields });

/** The message after the first of two confirmations of an email change. */
const HALF_CONFIRMED = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

/** `POST verify`: exchanges a code and its address, or the hash of a link, for a session. */
export async function verify(call: Call): Promise<Response> {
  const proof = readProof(await readJson(call.request, bodySchema));
  if ("address" in proof.name)
    await limitCodeGuess(call.auth, await guessersOf(call, { channel: proof.channel, value: proof.name.address }));
  const outcome = await acceptProof(call, proof, (tx, user) => signIn(tx, call, user.id, "otp"));
  if (outcome === "half") return json({ msg: HALF_CONFIRMED, code: "200" });
  return tokenResponse(call.auth, outcome);
}

/** `GET verify?token&type&redirect_to`: the address in a mail. Success and failure are reported to the target page. */
export async function verifyLink(call: Call): Promise<Response> {
  const { searchParams: query } = new URL(call.request.url);
  const token = query.get("token") ?? "";
  const type = query.get("type") ?? "";
  const target = redirectTarget(call);
  const pkce = token.startsWith(PKCE_PREFIX);
  try {
    requireType(type, "email");
    const proof = { type, name: { hash: token }, channel: "email" } as const;
    const outcome = await acceptProof<FlowResult>(call, proof, async (tx, user) =>
      pkce ? { code: await issueAuthCode(tx, user.id, type) } : signIn(tx, call, user.id, "otp"),
    );
    if (outcome === "half") return redirect(target, { fragment: { message: HALF_CONFIRMED, sb: "" } });
    return await redirectWithResult(call.auth, target, outcome, { type });
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const failure = errorFields(error);
    return redirect(target, { fragment: { ...failure, sb: "" }, query: pkce ? failure : {} });
  }
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
