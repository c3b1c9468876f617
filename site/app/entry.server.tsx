import { countedPage } from "content/pages.ts";
import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { renderToReadableStream, renderToStaticMarkup, renderToString } from "react-dom/server";
import { isRouteErrorResponse, ServerRouter, type EntryContext, type RouterContextProvider } from "react-router";
import { courseLinks } from "./document/course-links.server.ts";
import { SIGN_IN } from "./document/start-scripts.tsx";
import { isLater, ServerDocumentContext, stylesheetUrl, type ServerDocument, type Stylesheet } from "./document/document.ts";
import type { MatchedRoute } from "./server/match-route.server.ts";
import { streamOf } from "./server/byte-stream.server.ts";
import { documentContext, siteContext } from "./server/site-context.server.ts";

/** Renders a document as a whole: the page cache stores whole pages. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { route, nonce, publishableKey, allStyles, useStyles } = context.get(documentContext);
  const { styles, laterStyles } = stylesOf(route, entry, allStyles);
  const visitKey = status === 200 && countedPage(new URL(request.url).pathname) ? publishableKey : undefined;
  headers.set("Content-Type", "text/html; charset=utf-8");
  useStyles([...styles.values()]);

  const { inPortal } = route;
  // React Router's data for hydration is a stream, which only a stream can contain.
  const rendered = inPortal ? entry : { ...entry, serverHandoffStream: undefined };
  const document = (
    <ServerDocumentContext
      value={{ entry, styles, laterStyles, visitKey, courseLinks, inPortal, island: islandOf(route, entry), nonce, constantHtml }}
    >
      <ServerRouter context={rendered} url={request.url} {...(nonce === undefined ? {} : { nonce })} />
    </ServerDocumentContext>
  );
  if (!inPortal) return new Response(streamOf(Buffer.from(`<!DOCTYPE html>${renderToString(document)}`)), { headers, status });

  const { log } = context.get(siteContext);
  let failed = false;
  const stream = await renderToReadableStream(document, {
    ...(nonce === undefined ? {} : { nonce }),
    signal: request.signal,
    onError(error) {
      failed = true;
      log.error({ err: error }, "render failed");
    },
  });
  await stream.allReady;
  return new Response(stream, { headers, status: failed ? 500 : status });
}

function islandOf({ path = "", file, island, pattern }: MatchedRoute, { staticHandlerContext }: EntryContext): ServerDocument["island"] {
  if (pattern === SIGN_IN) return { file: "portal/sign-in/sign-in.island.tsx", data: null };
  if (!island || !file || staticHandlerContext.errors) return undefined;
  const data: unknown = staticHandlerContext.loaderData[path];
  return {
    file: `routes/${file.replace(/tsx$/, "island.tsx")}`,
    data: typeof data === "object" && data !== null && "island" in data ? data.island : null,
  };
}

/** The number of cached keys per component. */
const MOST_KEYS = 200;
/** The HTML of components by the key of their data. */
const htmlOf = new Map<ReactElement["type"], LRUCache<string, string>>();

function constantHtml(element: ReactElement, key = ""): string {
  let known = htmlOf.get(element.type);
  if (!known) htmlOf.set(element.type, (known = new LRUCache({ max: MOST_KEYS })));
  const html = known.get(key) ?? renderToStaticMarkup(element);
  known.set(key, html);
  return html;
}

/** The stylesheets of the document's matched routes. An error page has no place for links. */
function stylesOf(
  { linksLaterStyles }: MatchedRoute,
  { manifest, staticHandlerContext }: EntryContext,
  allStyles: ReadonlyMap<string, Stylesheet>,
): Pick<ServerDocument, "styles" | "laterStyles"> {
  const { matches, errors } = staticHandlerContext;
  const urls = new Set(matches.flatMap(({ route }) => manifest.routes[route.id]?.css ?? []).map(stylesheetUrl));
  const styles = new Map<string, Stylesheet>();
  const laterStyles: string[] = [];
  for (const url of urls) {
    const stylesheet = allStyles.get(url);
    if (!stylesheet) continue;
    if (linksLaterStyles && !errors && isLater(url)) laterStyles.push(url);
    else styles.set(url, stylesheet);
  }
  return { styles, laterStyles };
}

/** Logs an error of a loader or action, unless the request was aborted or is itself at fault. */
export function handleError(error: unknown, { request, context }: { request: Request; context: RouterContextProvider }): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(siteContext).log.error({ err: error }, "loader failed");
}
