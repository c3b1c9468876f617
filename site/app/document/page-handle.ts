/** The parameters that a page reads from the query of its address, each with the values that change the page. */
export type PageQuery = Readonly<Record<string, readonly string[]>>;

/** Properties of a page, exported by its route module as `handle`. */
export interface PageHandle {
  /** True if a GET gives every visitor the same response, so that the page cache may store it. */
  cache?: boolean;
  /** The part of its query that a cached page reads; it never sees anything else of a query. */
  query?: PageQuery;
  /** True if the page is answered under overload too; portal pages always are. */
  essential?: boolean;
  /** True if the page is an island: `<route>.island.tsx`, beside the route's module, hydrates it in the browser. */
  island?: boolean;
  /** True if the browser runs React Router on the whole document, as the portal does. */
  router?: boolean;
  /** The heading of a portal page while it loads. */
  title?: string;
}

/** Merges the handles of a matched route and its parents. */
export function pageHandle(handles: readonly unknown[]): PageHandle {
  const merged: PageHandle = {};
  for (const handle of handles) if (isHandle(handle)) Object.assign(merged, handle);
  return merged;
}

function isHandle(value: unknown): value is PageHandle {
  return typeof value === "object" && value !== null;
}
