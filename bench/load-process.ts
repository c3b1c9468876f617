import autocannon from "autocannon";
import type { Load, LoadOptions } from "./load.ts";

// The load generator. Its argument is a `LoadOptions` as JSON; it prints a `Load`.
const {
  seconds = 4,
  connections = 16,
  rate,
  manyClients = false,
  url,
  method,
  headers,
  body,
  refreshTokens,
}: LoadOptions = JSON.parse(process.argv[2] ?? "{}");

const waiting = [...(refreshTokens ?? [])];

function setUp(request: autocannon.Request): autocannon.Request {
  const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint8Array(3));
  return {
    ...request,
    ...(manyClients && { headers: { ...request.headers, "X-Forwarded-For": `10.${a}.${b}.${c}` } }),
    ...(refreshTokens && { body: JSON.stringify({ refresh_token: waiting.shift() }) }),
  };
}

function keepToken(status: number, text: string): void {
  const answer: { refresh_token: string } = status === 200 ? JSON.parse(text) : { refresh_token: "" };
  waiting.push(answer.refresh_token);
}

const { requests, latency, non2xx, errors } = await autocannon({
  url,
  connections,
  duration: seconds,
  requests: [
    {
      ...(method && { method }),
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      ...((manyClients || refreshTokens) && { setupRequest: setUp }),
      ...(refreshTokens && { onResponse: keepToken }),
    },
  ],
  ...(rate !== undefined && { overallRate: rate }),
});
const load: Load = { requests: requests.total, perSecond: requests.average, p50: latency.p50, p99: latency.p99, failures: non2xx + errors };
console.log(JSON.stringify(load));
