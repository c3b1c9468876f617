import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { pageHandle, type PageHandle } from "../document/page-handle.ts";

/** Returns a function that gives the handle of the page at a path, before anything is rendered. */
export function routeHandles({ routes }: ServerBuild): (pathname: string) => PageHandle {
  const all = Object.values(routes).filter((route) => route !== undefined);
  const childrenOf = (parentId: string | undefined): RouteObject[] =>
    all
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index, module: { handle } }) =>
        index ? { id, path, handle, index } : { id, path, handle, children: childrenOf(id) },
      );
  const tree = childrenOf(undefined);
  return (pathname) => {
    // React Router serves the loader data of a page at its path with this ending.
    if (pathname.endsWith(".data")) return {};
    return pageHandle((matchRoutes(tree, pathname) ?? []).map(({ route }) => route.handle));
  };
}
