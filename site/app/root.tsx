import { Fragment, use, useState, type ReactNode } from "react";
import { href, isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useRouteError } from "react-router";
import headingFont from "./fonts/bricolage-grotesque-english.woff2?url";
import figures from "./fonts/bricolage-grotesque-figures.woff2?url";
import textFont from "./fonts/atkinson-hyperlegible-next-english.woff2?url";
import { ServerDocumentContext } from "./document/document.ts";
import { PageScript, SIGN_IN, SignInScripts } from "./document/start-scripts.tsx";
import { ErrorPage } from "./frame/error-page.tsx";
import { Frame } from "./frame/frame.tsx";
import "./frame/styles.ts";
import "./app.css";

// React has no type for `disabled` of a stylesheet. Chromium's preload scanner fetches it nevertheless, unless its media query does not match.
const NEVER_FETCHED = { disabled: true, media: "not all" };

/** The document of every page. React hydrates all of it in the portal, and at most one island elsewhere (decision 002). */
export function Layout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const serverDocument = use(ServerDocumentContext);
  const inPortal = serverDocument?.inPortal ?? true;
  // The first page, not the current one, because its scripts stay in the document.
  const [startsAtSignIn] = useState(inPortal && pathname === SIGN_IN);
  return (
    // The script of the sign-in page sets an attribute before React hydrates the document.
    <html lang="en-GB" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        {startsAtSignIn && <SignInScripts />}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fbfaf6" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#111a21" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href={href("/site.webmanifest")} />
        {[headingFont, textFont, figures].map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <link rel="alternate" href={href("/blog/rss.xml")} type="application/rss+xml" title="Blog" />
        <Meta />
        {serverDocument?.visitKey && <meta name="visit-key" content={serverDocument.visitKey} />}
        {inPortal || !import.meta.env.SSR ? <Links /> : <Styles />}
      </head>
      <body>
        {inPortal || !import.meta.env.SSR ? (
          <>
            {children}
            <ScrollRestoration />
            {!startsAtSignIn && <Scripts />}
          </>
        ) : (
          <>
            <Frame path={pathname} courseLinks={serverDocument?.courseLinks ?? []}>
              <div id="page">{children}</div>
            </Frame>
            <PageScript />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** The error page, with status 404 if a loader threw that and 500 otherwise. */
export function ErrorBoundary() {
  const error = useRouteError();
  return <ErrorPage status={isRouteErrorResponse(error) ? error.status : 500} />;
}

/** Inlines the page's stylesheets, so that the first paint waits for no further request. */
function Styles() {
  const serverDocument = use(ServerDocumentContext);
  if (!serverDocument || import.meta.env.DEV) return <Links />;
  return [...serverDocument.styles].map(([url, { text }]) => (
    <Fragment key={url}>
      <style dangerouslySetInnerHTML={{ __html: text }} />
      {/* Without this link Vite's loader fetches the stylesheet again when it loads the island. */}
      <link rel="stylesheet" href={url} {...NEVER_FETCHED} />
    </Fragment>
  ));
}
