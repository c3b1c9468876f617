import { createStaticHandler, type EntryContext, type RouterContextProvider, type ServerBuild } from "react-router";

/** Renders the page of a GET request. */
type RenderPage = (request: Request, context: RouterContextProvider) => Promise<Response>;

/**
 * Creates a function for each page, by the id of its route, that renders the page as React Router's own handler does, in less time:
 * that one prepares all routes for each request and encodes the loader data for a script that public pages do not have.
 */
export function createPageRenderers(build: ServerBuild, handleRequest: RenderPage): ReadonlyMap<string, RenderPage> {
  // The development server adds scripts to the documents of React Router's handler.
  if (import.meta.env.DEV) return new Map();
  return new Map(
    Object.keys(build.routes).flatMap((id) => {
      const render = createPageRenderer(build, id, handleRequest);
      return render ? [[id, render] as const] : [];
    }),
  );
}

/** Undefined if the route is not a page. */
function createPageRenderer(build: ServerBuild, id: string, handleRequest: RenderPage): RenderPage | undefined {
  const { entry, assets, future, ssr, routeDiscovery, routes } = build;
  const { root, [id]: page } = routes;
  const { root: rootAssets, [id]: pageAssets } = assets.routes;
  if (id === "root" || !root || !rootAssets || !page?.module.default || !pageAssets) return undefined;
  const { loader } = page.module;
  const { query } = createStaticHandler([
    { id: "root", path: "", ErrorBoundary: root.module.ErrorBoundary, children: [{ id, path: page.path, loader }] },
  ]);
  const routeModules = { root: root.module, [id]: page.module };
  const manifest = { ...assets, routes: { root: rootAssets, [id]: pageAssets } };

  return async (request, requestContext) => {
    const staticHandlerContext = await query(request, { requestContext });
    if (staticHandlerContext instanceof Response) return staticHandlerContext;
    for (const error of Object.values(staticHandlerContext.errors ?? {})) {
      entry.module.handleError?.(error, { request, context: requestContext, params: {} });
    }
    const entryContext: EntryContext = {
      manifest,
      branches: [],
      routeModules,
      staticHandlerContext,
      renderMeta: {},
      future,
      ssr,
      routeDiscovery,
      isSpaMode: false,
      serializeError: (error) => error,
    };
    try {
      return await entry.module.default(request, staticHandlerContext.statusCode, new Headers(), entryContext, requestContext);
    } catch {
      // Reports the error and renders its page.
      return handleRequest(request, requestContext);
    }
  };
}
