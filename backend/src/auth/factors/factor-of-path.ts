import { z } from "zod";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import type { User } from "../accounts/users.ts";

/** A second factor of an account. */
export type Factor = User["factors"][number];

const UNVERIFIED_HOLDS_MS = 300_000;
const uuid = z.guid();

/** Finds the factor of an account that a path names, someone else's being as unknown as none. Fails with a 404. */
export function factorOfPath({ params }: Call, factors: readonly Factor[]): Factor {
  const id = uuid.safeParse(params.factor);
  if (!id.success) throw new AuthError(404, "validation_failed", "factor_id must be an UUID");
  const factor = factors.find((candidate) => candidate.id === id.data.toLowerCase());
  if (!factor || isAbandoned(factor)) throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  return factor;
}

/** Says whether an enrolment was not finished in time; it counts as gone, and is removed with the next one. */
export function isAbandoned({ status, created_at: createdAt }: Factor): boolean {
  return status === "unverified" && createdAt.getTime() + UNVERIFIED_HOLDS_MS < Date.now();
}
