import { browserStorage } from "./local-storage.client.ts";

/** Reports this page view to the statistics unless the visitor opted out or is staff; a failure is only logged. */
export function recordVisit(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="visit-key"]');
  if (!meta || visitState() !== "counted" || isStaff()) return;
  void fetch("/functions/v1/record-page-view", {
    method: "POST",
    keepalive: true,
    headers: { apikey: meta.content, "Content-Type": "application/json" },
    body: JSON.stringify({
      page_path: location.pathname,
      session_id: cookie("visit_session") ?? randomUuid(),
      referrer: document.referrer,
    }),
  })
    .then(async (response) => {
      // An unread body keeps the connection open.
      await response.arrayBuffer();
      if (!response.ok) throw new Error(String(response.status));
    })
    .catch((error: unknown) => console.warn("The page view was not recorded.", error));
}

/** Returns "counted", or the reason why visits are not counted: the browser sends Global Privacy Control ("signal"), or the visitor opted out. */
export function visitState(): "signal" | "opted-out" | "counted" {
  if ("globalPrivacyControl" in navigator && navigator.globalPrivacyControl === true) return "signal";
  return cookie("visit_opt_out") === "1" ? "opted-out" : "counted";
}

/** True if this browser stores a portal session, under the name that auth-js gives it. */
function isStaff(): boolean {
  return Object.keys(browserStorage() ?? {}).some((key) => /^sb-.+-auth-token$/.test(key));
}

/** A random UUID; `crypto.randomUUID` is missing on pages without TLS. */
function randomUuid(): string {
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
