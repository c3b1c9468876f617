import { countedPage } from "content/pages.ts";
import { z } from "zod";
import { expectJsonError, JsonError, readJson } from "../../../backend/src/body/read-json.ts";
import { clientNetwork } from "../_shared/client-network.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { deviceOf, exclusionReason, hasCookie, referrerHost } from "./client.ts";
import { createGroupCommit } from "./group-commit.ts";

const SESSION_COOKIE = "visit_session";
const SESSION_COOKIE_SECONDS = 365 * 24 * 60 * 60;
const RATE_LIMIT_SECONDS = 600;
const MAX_BYTES = 4096;

const viewSchema = z.object({
  page_path: z.string().min(1).max(2048),
  session_id: z.uuid(),
  // An unreadable referrer counts as none.
  referrer: z.string().optional().catch(undefined),
});

/** Counts one page view and sets the visitor's session cookie. Body: `{page_path, session_id, referrer?}`. */
async function recordPageView(request: Request, addView: AddView): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Page views are sent with POST.", { Allow: "POST" });

  const view = await readJson(request, viewSchema, { maxBytes: MAX_BYTES }).catch(expectJsonError);
  if (view instanceof JsonError) return invalidView(view);
  const page = countedPage(view.page_path);
  if (!page) return unknownPage();

  const reason = exclusionReason(request);
  if (reason) return json({ recorded: false, reason });

  const outcome = await addView({
    page_path: page.path,
    session_id: view.session_id,
    device: deviceOf(request),
    referrer: referrerHost(view.referrer, request),
    post_slug: page.postSlug,
    network: clientNetwork(request),
  });
  switch (outcome) {
    case "recorded":
      return json({ recorded: true }, 201, sessionCookie(request, view.session_id));
    case "unknown_page":
      return unknownPage();
    case "rate_limited": {
      const headers = { "Retry-After": String(RATE_LIMIT_SECONDS) };
      return errorResponse(429, "rate_limited", "Too many page views came from this address.", headers);
    }
    default:
      return errorResponse(503, "not_stored", "The view could not be stored.");
  }
}

function invalidView({ reason, issues }: JsonError): Response {
  if (reason === "too_large") return errorResponse(400, "body_too_large", "The body is longer than a page view can be.");
  return issues[0]?.path[0] === "session_id"
    ? errorResponse(400, "invalid_session_id", "session_id must be a UUID.")
    : errorResponse(400, "invalid_page_path", "page_path must be the path of a page.");
}

function unknownPage(): Response {
  return errorResponse(400, "unknown_page", "page_path is not a public page of this site.");
}

/** The cookie lasts 365 days from the first visit and is not renewed. */
function sessionCookie({ headers, url }: Request, sessionId: string): Record<string, string> {
  if (hasCookie(headers, `${SESSION_COOKIE}=${sessionId}`)) return {};
  // Behind a proxy that ends TLS our own URL is http, but the browser's origin is not.
  const secure = [url, headers.get("origin")].some((address) => address?.startsWith("https:")) ? "; Secure" : "";
  return { "Set-Cookie": `${SESSION_COOKIE}=${sessionId}; Path=/; Max-Age=${SESSION_COOKIE_SECONDS}; SameSite=Lax${secure}` };
}

type AddView = ReturnType<typeof groupCommitTo>;

function groupCommitTo(context: FunctionContext) {
  const project = projectClient("service_role", context);
  return createGroupCommit(async (views: readonly Record<string, string | undefined>[]) => {
    const { data } = await project.rpc("record_page_views", { views: [...views] });
    return data;
  });
}

// Views of different requests are committed together, so a group commit outlives a request. One for each project.
const groupCommits = new WeakMap<FunctionContext, AddView>();
const environmentOnly: FunctionContext = {};

export default {
  fetch: (request: Request, context = environmentOnly) => {
    const addView = groupCommits.get(context) ?? groupCommitTo(context);
    groupCommits.set(context, addView);
    return recordPageView(request, addView);
  },
};
