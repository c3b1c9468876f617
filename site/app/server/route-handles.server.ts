import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { pageHandle, type PageHandle } from "../document/page-handle.ts";

/** The page at a path, as known before anything is rendered. */
interface MatchedPage extends PageHandle {
  /** True if its route has an action, so that a form can be sent to it. */
  takesForms: boolean;
}

// React Router serves the loader data of a page at its path with this ending.
const LOADER_DATA = /\.data$/;

/** Returns a function that finds the page at a path. */
export function routeHandles({ routes }: ServerBuild): (pathname: string) => MatchedPage {
  const all = Object.values(routes).filter((route) => route !== undefined);
  const childrenOf = (parentId: string | undefined): RouteObject[] =>
    all
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index, module: { handle, action } }) =>
        index
          ? { id, path, handle, index, action: action !== undefined }
          : { id, path, handle, children: childrenOf(id), action: action !== undefined },
      );
  const tree = childrenOf(undefined);
  return (pathname) => {
    const matches = matchRoutes(tree, pathname.replace(LOADER_DATA, "")) ?? [];
    const handle = pageHandle(matches.map(({ route }) => route.handle));
    return LOADER_DATA.test(pathname)
      ? { ...handle, cache: false, takesForms: false }
      : { ...handle, takesForms: matches.at(-1)?.route.action === true };
  };
}
