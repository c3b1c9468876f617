import { refusal, preflight, json } from "../_shared/answer.ts";
import { projectClient, type FunctionContext } from "../_shared/runtime.ts";
import { createAddressLimit, type AddressLimit } from "./address-limit.ts";
import { hasCookie, whyNotCounted } from "./not-counted.ts";
import { clientNetwork, deviceOf, referrerHost } from "./origin.ts";
import { publicPage } from "./public-path.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { readView } from "./view.ts";
import { writeViews } from "./write-views.ts";

const SESSION_COOKIE = "visit_session";
const SESSION_COOKIE_SECONDS = 365 * 24 * 60 * 60;
const LIMIT_SECONDS = 600;

/** Stores one page view and gives the visitor's browser its session cookie. Body: `{page_path, session_id, referrer?}`. */
async function recordPageView(request: Request, { recorder, addressLimit }: Counting): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return refusal(405, "method_not_allowed", "Page views are sent with POST.", { Allow: "POST" });

  const view = await readView(request);
  if ("error" in view) return refusal(400, view.error, view.message);
  const page = publicPage(view.page_path);
  if (!page) return unknownPage();

  const reason = whyNotCounted(request);
  if (reason === "objection") await recorder.recordObjection();
  if (reason) return json({ recorded: false, reason });

  const address = clientNetwork(request);
  const addressViews = address === undefined ? 0 : addressLimit.count(address);
  if (addressViews === "reached") return rateLimited();
  const referrer = referrerHost(view.referrer, request);
  const outcome = await recorder.record({
    page_path: page.path,
    session_id: view.session_id,
    device: deviceOf(request),
    ...(page.postSlug === undefined ? {} : { post_slug: page.postSlug }),
    ...(referrer === undefined ? {} : { referrer }),
    ...(address !== undefined && addressViews > 0 ? { address, address_views: addressViews } : {}),
  });
  switch (outcome) {
    case "recorded":
      return json({ recorded: true }, 201, sessionCookie(request, view.session_id));
    case "unknown_page":
      return unknownPage();
    case "rate_limited":
      if (address !== undefined) addressLimit.reach(address);
      return rateLimited();
    case "not_stored":
      return refusal(503, "not_stored", "The view could not be stored.", { "Retry-After": "1" });
  }
}

function unknownPage(): Response {
  return refusal(400, "unknown_page", "page_path is not a public page of this site.");
}

function rateLimited(): Response {
  return refusal(429, "rate_limited", "Too many page views came from this address.", { "Retry-After": String(LIMIT_SECONDS) });
}

/** 365 days from the first visit, and not renewed at each. */
function sessionCookie({ headers, url }: Request, sessionId: string): Record<string, string> {
  if (hasCookie(headers, `${SESSION_COOKIE}=${sessionId}`)) return {};
  // Where TLS ends before us, the browser still says where it is.
  const secure = [url, headers.get("origin")].some((address) => address?.startsWith("https:")) ? "; Secure" : "";
  return { "Set-Cookie": `${SESSION_COOKIE}=${sessionId}; Path=/; Max-Age=${SESSION_COOKIE_SECONDS}; SameSite=Lax${secure}` };
}

interface Counting {
  recorder: Recorder;
  addressLimit: AddressLimit;
}

// Views of different requests meet here: a function has no other place that outlives its request. One for each project.
const countings = new WeakMap<FunctionContext, Counting>();
const environmentOnly: FunctionContext = {};

function countingOf(context: FunctionContext): Counting {
  const known = countings.get(context);
  if (known) return known;
  const project = projectClient("service_role", context);
  const recorder = createRecorder({
    write: (views, objections) => writeViews(project, views, objections),
    async forget() {
      await project.rpc("forget_page_views");
    },
  });
  const counting = { recorder, addressLimit: createAddressLimit() };
  countings.set(context, counting);
  return counting;
}

export default { fetch: (request: Request, context = environmentOnly) => recordPageView(request, countingOf(context)) };
