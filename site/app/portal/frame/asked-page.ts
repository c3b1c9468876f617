// In memory: the URL of the login stays /admin, and a visit to /admin opens the dashboard.
let asked: string | null = null;

/** Remembers the page that was opened without a session, until the next sign-in. */
export function rememberAskedPage(request: Request): void {
  const { pathname, search } = new URL(request.url);
  asked = pathname + search;
}

/** Returns the remembered page once; null if there is none. */
export function takeAskedPage(): string | null {
  const page = asked;
  asked = null;
  return page;
}
