import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { IN_PROCESS } from "backend";
import pino from "pino";
import type { ReactElement, ReactNode } from "react";
import { backendEnvironment, readEnvironment } from "../server/environment/environment.ts";
import { startBackend } from "../server/start-backend.ts";

// Answers every request with a new home page; SIDE selects how it is made. "site" renders as the product does after a write, "expired" as it
// does when only the page has expired; "react" calls `renderToString` with the tree and the data of the site and also renders the parts whose
// HTML the site caches; "strings" joins the page from the text between its tags and attributes. /renders responds with the number of pages
// that the site rendered.
// Environment: PORT, DATA_DIR, SIDE.
const { PORT, SIDE } = process.env;
const url = `http://127.0.0.1:${PORT}`;

type Tree = ReactElement<{ value: { constantHtml: (part: ReactElement) => string } }>;

interface ReactServer {
  renderToString(tree: Tree): string;
  renderToStaticMarkup(part: ReactNode): string;
}

const requireOfSite = createRequire(new URL("../site/package.json", import.meta.url));
const { cloneElement }: { cloneElement(tree: Tree, props: Tree["props"]): Tree } = requireOfSite("react");
const reactServer: ReactServer = requireOfSite("react-dom/server");
const { renderToString, renderToStaticMarkup } = reactServer;
let tree: Tree;
let renders = 0;
// Replaced before the site imports it.
reactServer.renderToString = (rendered) => {
  renders += 1;
  tree = cloneElement(rendered, { value: { ...rendered.props.value, constantHtml: renderToStaticMarkup } });
  return renderToString(rendered);
};

interface HomeSite {
  fetch(request: Request, visitor: typeof IN_PROCESS): Promise<Response>;
  dropPages(relation: null): void;
}

const BUILD = new URL("../site/build/", import.meta.url);
const { createSite }: { createSite(options: object): Promise<HomeSite> } = await import(new URL("server/index.js", BUILD).href);
const log = pino({ level: "silent" });
const backend = await startBackend(readEnvironment(backendEnvironment, process.env), { url, log });
const site = await createSite({
  siteUrl: url,
  supabase: {
    url,
    publishableKey: backend.publishableKey,
    fetch: (request: Request, { relations }: { relations: Set<string> }) => backend.fetch(request, { ...IN_PROCESS, relations }),
  },
  readAsset: (path: string) => readFile(new URL(`client${path}`, BUILD), "utf8"),
  renderOgImage: () => Promise.resolve(null),
  pageLifetimeMs: SIDE === "expired" ? 0 : 60_000,
  log,
});

async function renderSite(encoding: string): Promise<Uint8Array> {
  // As after a write to every table.
  if (SIDE !== "expired") site.dropPages(null);
  const response = await site.fetch(new Request(url, { headers: { "Accept-Encoding": encoding } }), IN_PROCESS);
  return response.bytes();
}

const pieces = new TextDecoder().decode(await renderSite("identity")).split(/(?=[<>"])/);

function joinStrings(): string {
  let page = "";
  for (const piece of pieces) page += piece;
  return page;
}

const SIDES: Record<string, (encoding: string) => string | Uint8Array | Promise<Uint8Array>> = {
  site: renderSite,
  expired: renderSite,
  react: () => renderToString(tree),
  strings: joinStrings,
};
const render = SIDES[SIDE ?? ""];
if (!render) throw new Error(`SIDE must be one of ${Object.keys(SIDES).join(", ")}`);

async function answer(path: string | undefined, encoding: string): Promise<string | Uint8Array> {
  if (path === "/renders") return String(renders);
  return path === "/" ? (render?.(encoding) ?? "") : "";
}

createServer((request, response) => {
  answer(request.url, request.headers["accept-encoding"] ?? "identity").then(
    (body) => response.end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(PORT), "127.0.0.1");
process.once("SIGTERM", () => void backend.close().then(() => process.exit()));
