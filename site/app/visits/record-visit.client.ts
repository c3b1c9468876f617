import { keptData } from "../document/local-storage.client.ts";

const COOKIE = "visit_session";
const OPT_OUT = "visit_opt_out";

/** Sends this page view to the statistics, unless the visitor opted out or is staff. A failure is only logged. */
export function recordVisit(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="visit-key"]');
  if (!meta || hasOptedOut() || isStaff()) return;
  void fetch("/functions/v1/record-page-view", {
    method: "POST",
    keepalive: true,
    headers: { apikey: meta.content, "Content-Type": "application/json" },
    body: JSON.stringify({ page_path: location.pathname, session_id: cookie(COOKIE) ?? freshUuid(), referrer: document.referrer }),
  })
    .then(async (answer) => {
      // Unread, it would keep its connection open.
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(String(answer.status));
    })
    .catch((error: unknown) => console.warn("The page view was not recorded.", error));
}

/** Whether the visitor opted out of the statistics, by the switch on the page or by Global Privacy Control. */
export function hasOptedOut(): boolean {
  return cookie(OPT_OUT) === "1" || ("globalPrivacyControl" in navigator && navigator.globalPrivacyControl === true);
}

/** Whether somebody is signed in to the portal in this browser: auth-js keeps its session under such a name. */
function isStaff(): boolean {
  return Object.keys(keptData() ?? {}).some((key) => /^sb-.+-auth-token$/.test(key));
}

/** A random UUID also where the page came without TLS, which `crypto.randomUUID` refuses. */
function freshUuid(): string {
  const url = URL.createObjectURL(new Blob());
  URL.revokeObjectURL(url);
  return url.slice(-36);
}

function cookie(name: string): string | undefined {
  return document.cookie
    .split("; ")
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}
