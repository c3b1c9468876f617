import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { audit } from "../audit.ts";
import { lockCaller, type Member, sessionNotFound } from "../bearer.ts";
import { readJson } from "../../body/read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { hashToken } from "../codes/one-time-tokens.ts";
import { countFailure, countSuccess, refuseGuess } from "../guesses.ts";
import { type Grant, lockSession, newRefreshToken, readGrant } from "../tokens/sessions.ts";
import { tokenResponse } from "../tokens/token-response.ts";
import { INSTANCE } from "../accounts/user-changes.ts";
import { requireChallenge, spendSentCode, spendStep } from "./challenges.ts";
import { type Factor, factorOfPath, requireVerifiable } from "./factors.ts";
import { stepOfCode } from "./totp.ts";

const bodySchema = z.object({ challenge_id: text, code: text });

interface ChallengeAnswer {
  challengeId: string;
  code: string;
}

/** `POST factors/{id}/verify`: raises the caller's session to aal2 in exchange for an unused code. */
export async function verifyFactor(call: Call, member: Member): Promise<Response> {
  const body = await readJson(call.request, bodySchema);
  const factor = factorOfPath(call, member.user.factors);
  requireVerifiable(call.auth, factor);
  if (body.code === "") throw validationFailed("Code needs to be non-empty");
  const answer = { challengeId: body.challenge_id, code: body.code };
  const outcome = await call.auth.database.transaction((tx) => verify(tx, call, member, answer));
  if (outcome instanceof AuthError) throw outcome;
  return tokenResponse(call.auth, outcome);
}

/** Returns the error of a wrong code instead of throwing it, so that the failure and the audit entry are committed. */
async function verify(tx: Transaction, call: Call, member: Member, { challengeId, code }: ChallengeAnswer): Promise<Grant | AuthError> {
  // Concurrent requests are serialised by these locks; everything is read again under them.
  const user = await lockCaller(tx, member);
  const session = await lockSession(tx, member.session.id);
  if (!session) throw sessionNotFound();
  const factor = factorOfPath(call, user.factors);
  await requireChallenge(tx, call, factor.id, challengeId);
  const guessed = { factor: factor.id };
  const delayed = await refuseGuess(tx, call, guessed);
  if (delayed) return delayed;
  const correct = await spendCode(tx, call, factor, { challengeId, code });
  const traits = { factor_id: factor.id, factor_type: factor.factor_type, challenge_id: challengeId };
  await audit(tx, call, "verification_attempted", user, { ...traits, outcome: correct ? "verified" : "refused" });
  if (correct) await countSuccess(tx, call, guessed);
  else await countFailure(tx, call, guessed, factor.status === "verified" ? user : undefined);
  if (!correct) return new AuthError(422, "mfa_verification_failed", `Invalid ${KINDS[factor.factor_type].name} code entered`);
  if (factor.status === "unverified") await finishEnrollment(tx, user.id, factor, session.id);
  return raiseSession(tx, session.id, user.id, factor);
}

const KINDS = {
  totp: { name: "TOTP", method: "totp" },
  phone: { name: "MFA Phone", method: "mfa/phone" },
  webauthn: { name: "MFA WebAuthn", method: "mfa/webauthn" },
} as const;

/** Uses up a code; returns true if it is correct and was not used before. */
async function spendCode(tx: Transaction, { auth }: Call, { id, phone }: Factor, { challengeId, code }: ChallengeAnswer): Promise<boolean> {
  if (phone !== null) return spendSentCode(tx, challengeId, id, hashToken(auth, phone, code));
  const step = stepOfCode(await secretOf(tx, id), code);
  return step !== null && spendStep(tx, challengeId, id, step);
}

async function secretOf(tx: Transaction, factorId: string): Promise<string> {
  const [row] = await tx.query<{ secret: string | null }>("select secret from auth.mfa_factors where id = $1", [factorId]);
  return row?.secret ?? "";
}

/** Marks a factor as verified; deletes unfinished enrolments of its type and ends the other sessions below aal2. */
async function finishEnrollment(tx: Transaction, userId: string, { id, factor_type: type }: Factor, sessionId: string): Promise<void> {
  await tx.query("update auth.mfa_factors set status = 'verified', updated_at = now() where id = $1", [id]);
  await tx.query("delete from auth.mfa_factors where user_id = $1 and factor_type = $2 and status = 'unverified'", [userId, type]);
  await tx.query("delete from auth.sessions where user_id = $1 and id <> $2 and aal is distinct from 'aal2'", [userId, sessionId]);
}

// The aal1 tokens are deleted and not revoked, because a recently revoked token is still exchanged for its successor.
const RAISE = `with raised as (
    update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1
  ), claim as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    values (gen_random_uuid(), $1, now(), now(), $3)
    on conflict (session_id, authentication_method) do update set updated_at = now()
  ), lower as (
    delete from auth.refresh_tokens where session_id = $1
  )
  insert into auth.refresh_tokens (instance_id, user_id, token, revoked, created_at, updated_at, session_id)
  values ($4, $5::text, $6, false, now(), now(), $1)`;

/** Raises a locked session to aal2 and replaces its refresh tokens by a new one. */
async function raiseSession(tx: Transaction, id: string, userId: string, { id: factorId, factor_type: type }: Factor): Promise<Grant> {
  const refreshToken = newRefreshToken();
  await tx.query(RAISE, [id, factorId, KINDS[type].method, INSTANCE, userId, refreshToken]);
  return readGrant(tx, id, userId, refreshToken);
}
