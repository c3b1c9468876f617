import { StartError } from "server/start-error.ts";
import { serverAddress } from "../running-server.ts";

const LONGEST_MS = 5000;

/** Requests `/health/ready` of the server of this environment and returns its answer. Fails with a `StartError` if it is not ready. */
export async function healthcheck(): Promise<string> {
  const url = `${serverAddress()}/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_MS) }).catch(() => null);
  if (response === null) throw new StartError(`No server answers at ${serverAddress()}.`);
  const answer = await response.text();
  if (!response.ok) throw new StartError(answer);
  return answer;
}
