import { processEnvironment, readEnvironment } from "server/environment/environment.ts";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { publicAddress, secretKey, serverAddress } from "../running-server.ts";
import { checkCertificate } from "./certificate.ts";
import { fail, type Finding, pass, reasonOf, warn } from "./finding.ts";

const LONGEST_MS = 10_000;
/** An address of the documentation, which nobody has. */
const INVENTED = "192.0.2.66";

const liveSchema = z.object({ version: z.string() });
const readySchema = z.object({ checks: z.record(z.string(), z.string()).default({}) });
const requestSchema = z.object({ forwardedFor: z.string().nullable() });

/** Checks that the server runs this version and that all its parts work. */
export async function checkServer(): Promise<Finding[]> {
  const server = serverAddress();
  try {
    const { version } = liveSchema.parse(await (await get(`${server}/health/live`)).json());
    const ready = await get(`${server}/health/ready`);
    const { checks } = readySchema.parse(await ready.json());
    const states = Object.entries(checks).map(([name, state]) => ({
      state: z.enum(["pass", "warn", "fail"]).parse(state),
      text: `The server: ${name}.`,
    }));
    const isCurrent = version === packageJson.version;
    return [
      isCurrent
        ? pass(`The server runs version ${version}.`)
        : warn(`The server runs version ${version}: restart it for ${packageJson.version}.`),
      ...states.filter(({ state }) => state !== "pass"),
      ...(!ready.ok && states.length === 0 ? [fail("The server starts or stops: try again in a minute.")] : []),
    ];
  } catch (error) {
    return [fail(`No server of this product answers at ${server} (${reasonOf(error)}): start it.`)];
  }
}

/** Checks with real requests that visitors reach the server at its public address, and that it sees their client addresses. */
export async function checkSite(): Promise<Finding[]> {
  const { SITE_URL, TRUST_PROXY: trusted } = readEnvironment(processEnvironment, process.env);
  if (SITE_URL === undefined) return [warn(`SITE_URL is not set: links in mails lead to ${publicAddress()}.`)];
  const site = publicAddress();
  const { protocol, hostname, port } = new URL(site);
  const found: Finding[] = [];
  if (protocol === "https:") found.push(await checkCertificate(hostname, Number(port) || 443));
  try {
    liveSchema.parse(await (await get(`${site}/health/live`)).json());
    found.push(pass(`The website answers at ${site}.`));
    if (protocol !== "https:" && !isLoopback(hostname))
      return [...found, warn(`${site} is not encrypted: passwords can be read on the way. Use https.`)];
    return [...found, await checkProxies(site, trusted)];
  } catch (error) {
    return [...found, fail(`The website does not answer at SITE_URL, ${site} (${reasonOf(error)}).`)];
  }
}

/** Sends an invented client address: each proxy appends one, or replaces it. */
async function checkProxies(site: string, trusted: number): Promise<Finding> {
  const response = await get(`${site}/operations/v1/request`, { apikey: await secretKey(), "X-Forwarded-For": INVENTED });
  if (response.status === 401) return fail(`The server at ${site} has another secret key: it is another installation.`);
  if (response.status !== 200) return fail(`The server at ${site} answered a test request with status ${response.status}.`);
  const { forwardedFor } = requestSchema.parse(await response.json());
  const proxies = (forwardedFor ?? "").split(",").filter((entry) => !["", INVENTED].includes(entry.trim())).length;
  const seen = `${proxies} ${proxies === 1 ? "proxy names" : "proxies name"} the client`;
  if (proxies === trusted) return pass(`TRUST_PROXY is ${trusted}, and ${seen}.`);
  const harm = proxies < trusted ? "anybody can claim any client address" : "all visitors share the rate limits of one client";
  return fail(`TRUST_PROXY is ${trusted}, but ${seen}: ${harm}. Set TRUST_PROXY=${proxies}.`);
}

function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(LONGEST_MS) });
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
