import { redirect } from "react-router";
import { siteContext } from "../server/site-context.server.ts";
import type { Supabase } from "../supabase/supabase.server.ts";
import type { Route } from "./+types/visit-objection";

const YEAR_S = 365 * 24 * 60 * 60;

/** Sets or withdraws the objection to the statistics, forgets the visitor's number and leads back to where the switch was used. */
export async function action({ request, context }: Route.ActionArgs) {
  const { supabase, siteUrl, log } = context.get(siteContext);
  const secure = siteUrl.startsWith("https:") ? "; Secure" : "";
  const objects = (await request.formData()).get("objection") === "1";
  const headers = new Headers();
  const common = `Path=/; SameSite=Lax${secure}`;
  headers.append("Set-Cookie", objects ? `visit_objection=1; Max-Age=${YEAR_S}; ${common}` : `visit_objection=; Max-Age=0; ${common}`);
  headers.append("Set-Cookie", `visit_session=; Max-Age=0; ${common}`);
  if (objects) {
    const failure = await countObjection(supabase);
    if (failure) log.warn({ err: failure }, "the objection was not counted");
  }
  return redirect(wayBack(request), { status: 303, headers });
}

/** There is nothing to see here without the form. */
export function loader() {
  return redirect("/privacy-policy#the-statistics-cookie");
}

/** Counts that somebody objected, and nothing about them: the page and the number are nobody's. */
async function countObjection(supabase: Supabase): Promise<unknown> {
  const { error } = await supabase.functions.invoke("record-page-view", {
    body: { page_path: "/privacy-policy", session_id: crypto.randomUUID() },
    headers: { cookie: "visit_objection=1" },
  });
  return error;
}

/** The page the form stood on, if it is ours. */
function wayBack(request: Request): string {
  const referrer = request.headers.get("referer");
  if (referrer === null || !URL.canParse(referrer)) return "/";
  const { host, pathname, search } = new URL(referrer);
  // Two slashes at the start would lead to another site.
  return host === new URL(request.url).host && !pathname.startsWith("//") ? pathname + search : "/";
}
