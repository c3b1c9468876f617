import { refusal, preflight, json } from "../_shared/answer.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { publicPath } from "./public-path.ts";
import { readView } from "./view.ts";

const SESSION_COOKIE = "visit_session";
const SESSION_COOKIE_SECONDS = 365 * 24 * 60 * 60;

/** Stores one page view and gives the visitor's browser its session cookie. Body: `{page_path, session_id}`. */
async function recordPageView(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return refusal(405, "method_not_allowed", "Page views are sent with POST.", { Allow: "POST" });

  const view = await readView(request);
  if ("error" in view) return refusal(400, view.error, view.message);

  const project = projectClient("service_role", context);
  const path = await publicPath(view.page_path, project);
  if (path === undefined) return refusal(400, "unknown_page", "page_path is not a public page of this site.");

  const { error } = await project.from("page_views").insert({ page_path: path, session_id: view.session_id });
  if (error) return refusal(503, "not_stored", "The view could not be stored.");
  return json({ recorded: true }, 201, sessionCookie(request, view.session_id));
}

/** 365 days from the first visit, and not renewed at each. */
function sessionCookie(request: Request, sessionId: string): Record<string, string> {
  const known = (request.headers.get("cookie") ?? "").split(/;\s*/).includes(`${SESSION_COOKIE}=${sessionId}`);
  if (known) return {};
  const secure = new URL(request.url).protocol === "https:" ? "; Secure" : "";
  return { "Set-Cookie": `${SESSION_COOKIE}=${sessionId}; Path=/; Max-Age=${SESSION_COOKIE_SECONDS}; SameSite=Lax${secure}` };
}

export default { fetch: (request: Request, context: FunctionContext = {}) => recordPageView(request, context) };
