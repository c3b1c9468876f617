import { use } from "react";
import { Scripts } from "react-router";
import { ServerDocumentContext } from "./document.ts";

/** The path of the sign-in page, where a session also finds the dashboard. */
export const SIGN_IN = "/admin";

/** Starts the portal if a session is stored, else only the island of the sign-in page; React Router's data for the portal is ignored then. */
const START = `{
  const signedIn = Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  if (signedIn) document.documentElement.dataset.signedIn = "";
  else window.__reactRouterContext = { streamController: { enqueue() {}, close() {} } };
  const scripts = document.getElementById(signedIn ? "portal-scripts" : "page-scripts").textContent;
  document.head.append(document.createRange().createContextualFragment(scripts));
}`;

/** The scripts of the sign-in page, in `noscript` elements, whose content is text to the browser; the start script runs one of them. */
export function SignInScripts() {
  const nonce = use(ServerDocumentContext)?.nonce;
  return (
    <>
      <noscript id="portal-scripts">
        <Scripts />
      </noscript>
      <noscript id="page-scripts">{import.meta.env.SSR && <PageScript />}</noscript>
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? START : "" }} />
    </>
  );
}

/** The script of public pages and of the sign-in page, loaded at low priority, with the island's data. */
export function PageScript() {
  const serverDocument = use(ServerDocumentContext);
  const { entry, island } = serverDocument ?? {};
  const failed = entry?.staticHandlerContext.errors != null;
  const manifest = entry?.manifest;
  const json = JSON.stringify(island?.data ?? null).replaceAll("<", "\\u003c");
  return (
    <>
      {island && <script type="application/json" id="island-data" data-island={island.file} dangerouslySetInnerHTML={{ __html: json }} />}
      {manifest?.hmr && <script type="module" src={manifest.hmr.runtime} />}
      {manifest && !failed && <script type="module" src={manifest.entry.module} fetchPriority="low" />}
    </>
  );
}
