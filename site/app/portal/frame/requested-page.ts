// The requested page is stored in memory, because the URL of the sign-in page stays /admin, and a visit to /admin opens the dashboard.
let requested: string | null = null;
let loggedOut = false;

/** Remembers the page that was opened without a session, until the next sign-in. */
export function rememberRequestedPage(request: Request): void {
  if (loggedOut) return;
  const { pathname, search } = new URL(request.url);
  requested = pathname + search;
}

/** Returns the remembered page once; null if there is none. */
export function takeRequestedPage(): string | null {
  const page = requested;
  requested = null;
  loggedOut = false;
  return page;
}

/** Makes the next sign-in open the dashboard, because the person logs out and may not be the one who signs in next. */
export function openDashboardNext(): void {
  requested = null;
  loggedOut = true;
}
