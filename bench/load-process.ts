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
}: LoadOptions = JSON.parse(process.argv[2] ?? "{}");

function fromAnotherClient(request: autocannon.Request): autocannon.Request {
  const [a = 0, b = 0, c = 0] = crypto.getRandomValues(new Uint8Array(3));
  return { ...request, headers: { ...request.headers, "X-Forwarded-For": `10.${a}.${b}.${c}` } };
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
      ...(manyClients && { setupRequest: fromAnotherClient }),
    },
  ],
  ...(rate !== undefined && { overallRate: rate }),
});
const load: Load = { requests: requests.total, perSecond: requests.average, p99: latency.p99, failures: non2xx + errors };
console.log(JSON.stringify(load));
