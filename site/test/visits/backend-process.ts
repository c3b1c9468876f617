import { SHORT_LIVED, startServer, type ServerProcess } from "backend/test/server-process.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_process-0123456789abcdef", SECRET_KEY: "sb_secret_process-0123456789abcdef" };
const ACCOUNT = { STAFF_EMAIL: "staff@site.example", STAFF_PASSWORD: "seven lanes to Penrith", TRUST_PROXY: "1" };

/** Returns the status of the response, or undefined if the server ended first. Each view has a new session by default. */
export async function recordView(
  url: string,
  { number, session = crypto.randomUUID() }: { number: number; session?: string },
): Promise<number | undefined> {
  const headers = {
    apikey: KEYS.PUBLISHABLE_KEY,
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64)",
    "X-Forwarded-For": `198.51.100.${number % 250}`,
  };
  const body = JSON.stringify({ page_path: number % 2 === 0 ? "/" : "/cctv", session_id: session });
  try {
    const answer = await fetch(`${url}/functions/v1/record-page-view`, { method: "POST", headers, body });
    return answer.status;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Reads the statistics of the last 30 days as staff. */
export async function readStats(url: string): Promise<{ totalPageViews: number; uniqueVisitors: number }> {
  const headers = { apikey: KEYS.PUBLISHABLE_KEY, "Content-Type": "application/json" };
  const staff = { email: ACCOUNT.STAFF_EMAIL, password: ACCOUNT.STAFF_PASSWORD };
  const session = await fetch(`${url}/auth/v1/token?grant_type=password`, { method: "POST", headers, body: JSON.stringify(staff) });
  const { access_token } = await session.json();
  const stats = await fetch(`${url}/functions/v1/get-website-stats`, { headers: { ...headers, Authorization: `Bearer ${access_token}` } });
  return stats.json();
}

/** Starts the backend without the site and waits until it responds. */
export function startBackend(env: Record<string, string>): Promise<ServerProcess> {
  return startServer("server/backend.ts", { LOG_LEVEL: "error", ...KEYS, ...ACCOUNT, ...env }, { flags: SHORT_LIVED });
}
