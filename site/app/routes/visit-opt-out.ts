import { href, redirect } from "react-router";
import { formContext, siteContext } from "../server/site-context.server.ts";
import type { Route } from "./+types/visit-opt-out";

const YEAR_S = 365 * 24 * 60 * 60;

/** Sets or withdraws the opt-out from the statistics, deletes the session cookie and redirects to the page of the form. */
export async function action({ request, context }: Route.ActionArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  const secure = siteUrl.startsWith("https:") ? "; Secure" : "";
  const optsOut = context.get(formContext).get("opt_out") === "1";
  const headers = new Headers();
  const common = `Path=/; SameSite=Lax${secure}`;
  headers.append("Set-Cookie", optsOut ? `visit_opt_out=1; Max-Age=${YEAR_S}; ${common}` : `visit_opt_out=; Max-Age=0; ${common}`);
  headers.append("Set-Cookie", `visit_session=; Max-Age=0; ${common}`);
  if (optsOut) {
    const { error } = await supabase.functions.invoke("record-opt-out");
    if (error) log.warn({ err: error }, "the opt-out was not counted");
  }
  return redirect(returnPath(request), { status: 303, headers });
}

/** Redirects a GET to the explanation of the opt-out. */
export function loader() {
  return redirect(`${href("/privacy-policy")}#the-statistics-cookie`);
}

/** The page of the form if it belongs to this site. */
function returnPath(request: Request): string {
  const referrer = request.headers.get("referer");
  if (referrer === null || !URL.canParse(referrer)) return href("/");
  const { host, pathname, search } = new URL(referrer);
  // A path that starts with two slashes would lead to another site.
  return host === new URL(request.url).host && !pathname.startsWith("//") ? pathname + search : href("/");
}
