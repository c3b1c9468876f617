import type { AuthError } from "@supabase/supabase-js";
import { errorResponse, notAuthenticated } from "../_shared/response.ts";
import { SQLSTATE } from "../_shared/sqlstates.ts";
import type { Command } from "./command.ts";

/** The response for a command that the database refuses. */
export function refusalResponse(code: string, { act }: Command): Response {
  switch (code) {
    case SQLSTATE.forbidden:
      return errorResponse(
        403,
        "own_account",
        "This is your own account: another member of staff can do this, or you yourself under My Profile.",
      );
    case SQLSTATE.notFound:
      return errorResponse(404, "no_such_member", "This account is gone.");
    case SQLSTATE.conflict:
      return errorResponse(409, "last_account", "This is the last account that can sign in.");
    case SQLSTATE.wrongState:
      return act === "invite"
        ? errorResponse(409, "has_account", "This address has an account already; it is in the list.")
        : errorResponse(409, "changed_meanwhile", "The account has changed meanwhile.");
    case SQLSTATE.singleSignOn:
      return errorResponse(409, "single_sign_on", "This person signs in with the account of their organisation and needs no link.");
    case SQLSTATE.secondPersonNeeded:
      return errorResponse(
        403,
        "second_person_needed",
        act === "link"
          ? "You removed this person’s second factor in the last 24 hours, so somebody else has to make the link."
          : "You made a link to this account in the last 24 hours, so somebody else has to remove its second factor.",
      );
    case SQLSTATE.rateLimited:
      return errorResponse(429, "too_many_acts", "That was a lot at once. Wait ten minutes and try again.", { "Retry-After": "600" });
    case SQLSTATE.insufficientPrivilege:
    case SQLSTATE.jwtInvalid:
    case SQLSTATE.jwtExpired:
      return notAuthenticated();
    default:
      return errorResponse(503, "not_done", "This could not be done. Please try again.");
  }
}

/** The response for a command that the auth service refuses. */
export function authErrorResponse({ code }: AuthError): Response {
  switch (code) {
    case "email_exists":
      return errorResponse(409, "has_account", "This address has an account already; it is in the list.");
    case "validation_failed":
    case "email_address_invalid":
      return errorResponse(400, "invalid_email", "The auth service does not take this e-mail address.");
    case "over_email_send_rate_limit":
      return errorResponse(429, "too_many_mails", "Too much was mailed just now. Wait a minute, or hand over a link.", {
        "Retry-After": "60",
      });
    default:
      return errorResponse(503, "not_done", "This could not be done. Look at the list again, and try again.");
  }
}
