import { pages, type Page } from "content/pages.ts";
import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { resources } from "./resources.ts";

/** The route of a path as it is declared. */
export interface MatchedRoute extends Partial<Page> {
  /** The whole path of the route as declared; `files` for a path with an extension that no route has, `other` if there is no route. */
  pattern: string;
  /** True if it has an action, so that a form can be sent to it. */
  takesForms: boolean;
  inPortal: boolean;
}

// React Router serves the loader data of a page at its path with this ending.
const LOADER_DATA = /\.data$/;

const FILE = /\.[a-z0-9]+$/i;

const resourcePaths = new Set(resources.map(({ path }) => path));
const declarations = new Map<string, Partial<Page>>([...pages, ...resources].map((route) => [route.path, route]));

/** Returns a function that finds the route of a path. */
export function routeMatcher({ routes }: ServerBuild): (pathname: string) => MatchedRoute {
  const all = Object.values(routes).filter((route) => route !== undefined);
  const childrenOf = (parentId: string | undefined): RouteObject[] =>
    all
      .filter((route) => route.parentId === parentId)
      .map(({ id, path, index, module }) => {
        const action = module.action !== undefined;
        return index ? { id, path, index, action } : { id, path, action, children: childrenOf(id) };
      });
  const tree = childrenOf(undefined);
  // matchRoutes compiles all routes at each call, so a path without parameters is found without it.
  const literal = new Map<string, RouteObject>();
  for (const { path } of pages) {
    const route = path.includes(":") || path.includes("*") ? undefined : matchRoutes(tree, path)?.at(-1)?.route;
    if (route) literal.set(path, route);
  }
  return (pathname) => {
    const page = pathname.replace(LOADER_DATA, "");
    const route = literal.get(page) ?? matchRoutes(tree, page)?.at(-1)?.route;
    const { id = "", action } = route ?? {};
    const inPortal = id.startsWith("portal/");
    const pattern = FILE.test(page) && !resourcePaths.has(id) ? "files" : patternOf(id);
    return LOADER_DATA.test(pathname)
      ? { pattern, inPortal, takesForms: false }
      : { ...declarations.get(id), pattern, inPortal, takesForms: action === true };
  };

  function patternOf(id: string): string {
    const { path = "", parentId } = routes[id] ?? {};
    if (id === "" || path === "*") return "other";
    if (path.startsWith("/")) return path;
    const parent = parentId === undefined ? "" : patternOf(parentId);
    return path === "" ? parent : `${parent}/${path}`;
  }
}
