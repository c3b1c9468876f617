import type { AuthError } from "@supabase/supabase-js";
import * as SQLSTATE from "../../../backend/src/sqlstates.ts";
import { errorResponse, notAllowed, notAuthenticated } from "../_shared/response.ts";
import type { Command } from "./command.ts";

/** The response for a command that the database refuses. */
export function refusalResponse(code: string, { act }: Command): Response {
  switch (code) {
    case SQLSTATE.forbidden:
      return notAllowed("Your role does not allow this. Ask an owner.");
    case SQLSTATE.misdirectedRequest:
      return errorResponse(
        403,
        "own_account",
        "This is your own account: another member of staff can do this, or you yourself under My profile.",
      );
    case SQLSTATE.notFound:
      return errorResponse(404, "no_such_member", "This account no longer exists.");
    case SQLSTATE.conflict:
      return errorResponse(409, "last_account", "This is the last account that can sign in.");
    case SQLSTATE.preconditionFailed:
      return act === "invite"
        ? errorResponse(409, "has_account", "This address already has an account; it is in the list.")
        : errorResponse(409, "changed_meanwhile", "Somebody else has changed this account. Look at the list and try again.");
    case SQLSTATE.unprocessableContent:
      return errorResponse(409, "single_sign_on", "This person signs in with the account of their organisation and needs no link.");
    case SQLSTATE.locked:
      return errorResponse(
        403,
        "second_person_needed",
        act === "remove_factor"
          ? "A link to this account was made in the last 24 hours. Wait a day, or ask a colleague, whose account must be older, to turn off its sign-in code."
          : "This person’s sign-in code was turned off in the last 24 hours. Wait a day, or ask a colleague, whose account must be older, to make the link.",
      );
    case SQLSTATE.tooManyRequests:
      return errorResponse(429, "too_many_acts", "Too many changes in a short time. Wait ten minutes and try again.", {
        "Retry-After": "600",
      });
    case SQLSTATE.insufficientPrivilege:
    // PostgREST: the token is not valid, or has expired.
    case "PGRST301":
    case "PGRST303":
      return notAuthenticated();
    default:
      return errorResponse(503, "not_done", "This could not be done. Please try again.");
  }
}

/** The response for a command that the auth service refuses. */
export function authErrorResponse({ code }: AuthError): Response {
  switch (code) {
    case "email_exists":
      return errorResponse(409, "has_account", "This address already has an account; it is in the list.");
    case "validation_failed":
    case "email_address_invalid":
      return errorResponse(400, "invalid_email", "This e-mail address cannot be used.");
    case "over_email_send_rate_limit":
      return errorResponse(429, "too_many_mails", "Too many mails were sent just now. Wait a minute, or copy a link instead.", {
        "Retry-After": "60",
      });
    default:
      return errorResponse(503, "not_done", "This could not be done. Load the page and try again.");
  }
}
