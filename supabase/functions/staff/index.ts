import process from "node:process";
import { json, preflight, refusal } from "../_shared/answer.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { carryOut } from "./act.ts";
import { notDone, notAllowed } from "./refusals.ts";
import { readWish, type Wish } from "./wish.ts";

/**
 * Does to the account of a colleague what takes the service's rights: `{act, …}` is invite, link, disable, enable, remove_factor or
 * remove. The database decides with the caller's own token whether it may be done, and writes down who did it.
 * Answers `{done: true}`, with `link` or `mailed` where somebody is led into their account. GET answers `{mails}`: whether links can be mailed.
 */
async function staff(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method === "GET") return json({ mails: mailLeaves(context) });
  if (request.method !== "POST") return refusal(405, "method_not_allowed", "Staff are managed with POST.", { Allow: "GET, POST" });

  const accessToken = /^bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  // A JWT has three parts; the opaque keys a visitor sends as bearer have none.
  if (accessToken?.split(".").length !== 3) return refusal(401, "not_authenticated", "Not authenticated");
  const wish = await readWish(request);
  if (!wish) return refusal(400, "invalid_wish", "The request does not say what is to be done.");

  const begun = await projectClient({ accessToken }, context).rpc("begin_staff_act", argumentsOf(wish));
  if (begun.error) return notAllowed(begun.error.code, wish);

  const service = projectClient("service_role", context);
  const outcome = await carryOut(wish, { service, passwordPage: passwordPage(request), mails: mailLeaves(context) });
  if (!outcome.ok) return notDone(outcome.error);
  await service.from("staff_acts").update({ done_at: new Date().toISOString() }).eq("id", begun.data);
  return json({ done: true, ...outcome.delivery });
}

function argumentsOf(wish: Wish) {
  return wish.act === "invite" ? { act: wish.act, member_email: wish.email } : { act: wish.act, member_id: wish.member_id };
}

/** Whether this project has a mail server, under the name every deployment knows it by. */
function mailLeaves({ env = process.env }: FunctionContext): boolean {
  return Boolean(env["SMTP_URL"]);
}

/** On the site the caller is at. The auth service leads nowhere that is not on its list. */
function passwordPage(request: Request): string | undefined {
  const site = URL.parse(request.headers.get("origin") ?? "");
  return site === null ? undefined : new URL("/admin/password", site).href;
}

export default { fetch: (request: Request, context: FunctionContext = {}) => staff(request, context) };
