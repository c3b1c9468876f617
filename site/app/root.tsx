import { Fragment, use, type ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
} from "react-router";
import headingFont from "./fonts/bricolage-grotesque-english.woff2?url";
import textFont from "./fonts/atkinson-hyperlegible-next-english.woff2?url";
import { Frame } from "./frame/frame.tsx";
import { ServerDocumentContext, type ClientCode } from "./document/document.ts";
import { ErrorPage } from "./frame/error-page.tsx";
import "./app.css";

// React has no type for this attribute of a stylesheet.
const NEVER_FETCHED = { disabled: true };

/** The document around every page. Only the portal hydrates it; other pages are documents with at most one living part. */
export function Layout({ children }: { children: ReactNode }) {
  const matches = useMatches();
  const { pathname } = useLocation();
  const serverDocument = use(ServerDocumentContext);
  const handle = matches.at(-1)?.handle ?? matches.at(-2)?.handle;
  const client = clientCode(handle);
  return (
    <html lang="en-GB">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/site.webmanifest" />
        {[headingFont, textFont].map((href) => (
          <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <link rel="alternate" href="/blog/rss.xml" type="application/rss+xml" title="Blog" />
        <Meta />
        {isCounted(handle) && <VisitKey />}
        {client === "portal" ? <Links /> : <Styles />}
      </head>
      <body>
        {client === "portal" ? (
          <>
            {children}
            <ScrollRestoration />
            <Scripts />
          </>
        ) : (
          <>
            <Frame path={pathname} courseLinks={serverDocument?.courseLinks ?? []}>
              <div id="page">{children}</div>
            </Frame>
            <PageScript client={client} loaderData={matches.at(-1)?.loaderData} />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** The page for whatever went wrong; unknown pages are answered with 404 by the loader that threw. */
export function ErrorBoundary() {
  const error = useRouteError();
  return <ErrorPage status={isRouteErrorResponse(error) ? error.status : 500} />;
}

function clientCode(handle: unknown): ClientCode {
  return typeof handle === "object" && handle !== null && "client" in handle && isClientCode(handle.client) ? handle.client : "none";
}

function isClientCode(value: unknown): value is ClientCode {
  return value === "none" || value === "home" || value === "portal";
}

function isCounted(handle: unknown): boolean {
  return typeof handle === "object" && handle !== null && "counted" in handle && handle.counted === true;
}

/** What the browser needs to report this page view; a page that failed is not counted. */
function VisitKey() {
  const serverDocument = use(ServerDocumentContext);
  if (!serverDocument || serverDocument.entry.staticHandlerContext.errors) return null;
  return <meta name="visit-key" content={serverDocument.publishableKey} />;
}

/** The page's stylesheets in the document itself: nothing to wait for before the first paint. */
function Styles() {
  const serverDocument = use(ServerDocumentContext);
  if (!serverDocument || import.meta.env.DEV) return <Links />;
  return [...serverDocument.styles].map(([href, { text }]) => (
    <Fragment key={href}>
      <style dangerouslySetInnerHTML={{ __html: text }} />
      {/* Without it Vite's loader would fetch the stylesheet again together with the living part. */}
      <link rel="stylesheet" href={href} {...NEVER_FETCHED} />
    </Fragment>
  ));
}

/** The small script of public pages, and the data of the living part for it. It waits for everything else. */
function PageScript({ client, loaderData }: { client: ClientCode; loaderData: unknown }) {
  const serverDocument = use(ServerDocumentContext);
  const failed = serverDocument?.entry.staticHandlerContext.errors != null;
  const manifest = serverDocument?.entry.manifest;
  const json = JSON.stringify(loaderData ?? null).replaceAll("<", "\\u003c");
  return (
    <>
      {client !== "none" && !failed && (
        <script type="application/json" id="page-data" data-page={client} dangerouslySetInnerHTML={{ __html: json }} />
      )}
      {manifest?.hmr && <script type="module" src={manifest.hmr.runtime} />}
      {manifest && !failed && <script type="module" src={manifest.entry.module} fetchPriority="low" />}
    </>
  );
}
