import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { startServer, type ServerProcess } from "backend/test/server-process.ts";
import { provider } from "content/provider.ts";
import pino from "pino";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import backend from "../../backend/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import serverPackage from "../../server/package.json" with { type: "json" };
import sitePackage from "../../site/package.json" with { type: "json" };
import functions from "../../supabase/functions/package.json" with { type: "json" };
import { buildCopy, copyForProduction } from "../support/production-copy.ts";
import { temporaryDirectory } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

// The site as `npm start` builds and starts it, without development dependencies, for another provider: after one content file is
// replaced, nothing names the old provider.

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_e2e-0123456789abcdef", SECRET_KEY: "sb_secret_e2e-0123456789abcdef" };
const SITE_URL = "https://brackenside.example";

const successor: typeof provider = {
  ...provider,
  name: "Brackenside Skills",
  registeredName: "Brackenside Skills Limited",
  companyNumber: "11111111",
  phone: "020 7946 0123",
  phoneHref: "tel:+442079460123",
  mobile: "07700 900555",
  mobileHref: "tel:+447700900555",
  email: "office@brackenside.example",
  address: { ...provider.address, street: "8 Quay Street", locality: "Whitehaven", postalCode: "CA28 0VM" },
  venue: "Brackenside rooms, Whitehaven",
};

/** Messages that only React's development builds contain. */
const DEVELOPMENT_MESSAGES = ["overlapping act() calls", "Each child in a list should have a unique"];

const cleanup = new AsyncDisposableStack();
let server: ServerProcess;
let site: {
  fetch(request: Request, visitor: { clientAddress: string }): Promise<Response>;
  findCached(request: { method: string; url: string; headers: Record<string, string> }): unknown;
};
let copy: string;
let built: string;
/** The texts that the site requested for Open Graph images of posts. */
const renderedTexts: unknown[] = [];

beforeAll(async () => {
  copy = cleanup.use(await temporaryDirectory()).path;
  await copyForProduction(copy);
  const source = `import type { Provider } from "./types.ts";\nexport const provider: Provider = ${JSON.stringify(successor)};\n`;
  await writeFile(join(copy, "content/provider.ts"), source);
  await createPhoto(join(copy, "site/app/photos/team/marian-thwaite.jpg"));
  await createPhoto(join(copy, "site/app/photos/courses/cctv.png"));
  await buildCopy(copy);

  const [, settings = "", entry = ""] = /^(.*) exec node (?:--\S+ )*(\S+)$/.exec(packageJson.scripts.start) ?? [];
  const environment = Object.fromEntries(
    settings.split(" ").map((setting): [string, string] => [setting.split("=")[0] ?? "", setting.split("=")[1] ?? ""]),
  );
  const dataDir = cleanup.use(await startedDirectory());
  server = cleanup.use(
    await startServer(
      join(copy, entry),
      { ...environment, ...KEYS, DATA_DIR: dataDir.path },
      { flags: ["--import", "./backend/test/print-loaded-modules.ts"], healthPath: "/health" },
    ),
  );
  built = join(copy, "site/build/client");
  const { createSite } = await import(pathToFileURL(join(copy, "site/build/server/index.js")).href);
  site = await createSite({
    siteUrl: SITE_URL,
    supabase: { url: server.url, publishableKey: KEYS.PUBLISHABLE_KEY, fetch },
    enquiryFormUrl: undefined,
    renderOgImage: (text: unknown) => Promise.resolve(renderedTexts.push(text) && new Uint8Array()),
    readAsset: (path: string) => readFile(built + path, "utf8"),
    pageLifetimeMs: 60_000,
    log: pino({ level: "silent" }),
  });
  // A build takes minutes on a busy machine.
}, 900_000);
afterAll(() => cleanup.disposeAsync());

test("npm start installs without development dependencies and without install scripts", async () => {
  expect(packageJson.scripts.prestart).toContain("--production");
  const setup = await readFile(new URL("../../scripts/setup.mjs", import.meta.url), "utf8");
  expect(setup).toContain("--omit=dev");
  expect(setup).toContain("--ignore-scripts");
});

test("the server build contains React for production and imports no other React", async () => {
  expect((await fetch(server.url)).status).toBe(200);
  const folder = join(copy, "server/build");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const code = (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
  const contains = (text: string): boolean => code.includes(text);
  expect(contains("react.transitional.element")).toBe(true);
  expect(code.match(/(?:from|import)"react[^"]*"/g)).toBeNull();
  const development = await reactForDevelopment();
  for (const message of DEVELOPMENT_MESSAGES) expect([development.includes(message), contains(message)]).toEqual([true, false]);
});

test("the server build has only characters that V8 keeps in one byte", async () => {
  const folder = join(copy, "server/build");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  for (const name of names) expect(/[^\0-\xff]/.test(await readFile(join(folder, name), "utf8")), name).toBe(false);
});

test("the process loads its code and libraries from the server build, except packages that cannot be bundled", async () => {
  const headers = { apikey: KEYS.PUBLISHABLE_KEY, "Content-Type": "application/json" };
  const view = JSON.stringify({ page_path: "/cctv", session_id: crypto.randomUUID() });
  const counted = await fetch(`${server.url}/functions/v1/record-page-view`, { method: "POST", headers, body: view });
  expect(await counted.json()).toMatchObject({ recorded: expect.any(Boolean) });
  const prefix = pathToFileURL(copy).href;
  const loaded = (server.output().match(/(?<=^loaded )file:.+$/gm) ?? []).filter((url) => url.startsWith(prefix));
  const outside = loaded.map((url) => url.slice(prefix.length + 1)).filter((path) => !path.startsWith("server/build/"));
  expect(loaded.length).toBeGreaterThan(outside.length);
  const dependencies = new Set([backend, serverPackage, sitePackage, functions].flatMap((each) => Object.keys(each.dependencies)));
  const packages = new Set(outside.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path));
  // The dependencies of these packages are not checked.
  const named = [...packages].filter((name) => dependencies.has(name) || outside.includes(name));
  expect(named.toSorted()).toEqual(["@electric-sql/pglite", "@node-rs/argon2", "@node-rs/bcrypt", "pino"]);
});

test("no page, feed or calendar shows the name, numbers or addresses of the previous provider", async () => {
  const listed = await read("/sitemap.xml");
  const paths = [...listed.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => address.slice(SITE_URL.length) || "/");
  const course = await read("/door-supervisor");
  const calendar = /\/calendar\/[^"]+\.ics/.exec(course)?.[0] ?? "";
  const others = ["/sitemap.xml", "/robots.txt", "/site.webmanifest", "/blog/rss.xml", "/enquiry", "/enquiry/thanks", "/nowhere", "/admin"];
  expect(paths.length).toBeGreaterThan(20);
  expect(calendar).not.toBe("");
  for (const path of [...paths, calendar, ...others]) expect(oldFactsIn(await read(path)), path).toEqual([]);
});

test("every listed page is served from the cache for a link with tracking parameters", async () => {
  const listed = [...(await read("/sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => new URL(address).pathname);
  expect(listed.length).toBeGreaterThan(20);
  // The form of an enquiry is not cached.
  for (const path of listed.filter((each) => each !== "/enquiry")) {
    await read(path);
    expect(site.findCached({ method: "GET", url: `${path}?fbclid=abc&utm_source=news`, headers: {} }), path).toBeDefined();
  }
});

test("Open Graph images of posts are rendered with the new name", async () => {
  const post = /\/blog\/[a-z0-9-]+/.exec(await read("/sitemap.xml"))?.[0] ?? "";
  const [address = ""] = /\/social\/blog\/[^"]+/.exec(await read(post)) ?? [];
  await read(address.replaceAll("&amp;", "&"));
  expect(renderedTexts).toEqual([expect.objectContaining({ siteName: successor.name })]);
});

test("every page shows the new provider", async () => {
  for (const path of ["/", "/door-supervisor", "/blog", "/privacy-policy", "/terms-conditions", "/enquiry", "/nowhere"]) {
    const html = await read(path);
    for (const fact of [successor.name, successor.phone, successor.email, successor.companyNumber, successor.address.street])
      expect(html, path).toContain(fact);
  }
  expect(JSON.parse(await read("/site.webmanifest"))).toMatchObject({ name: successor.name });
  expect(await read("/blog/rss.xml")).toContain(successor.name);
});

test("no picture, script or style contains the old provider", async () => {
  const files = await readdir(built, { recursive: true, withFileTypes: true });
  const texts = files.filter((file) => file.isFile() && [".svg", ".js", ".css"].includes(extname(file.name)));
  expect(texts.length).toBeGreaterThan(50);
  for (const { parentPath, name } of texts) expect(oldFactsIn(await readFile(join(parentPath, name), "utf8")), name).toEqual([]);
});

test("a photo in the photos folder replaces an illustration, in modern formats and several sizes", async () => {
  for (const [path, alt] of [
    ["/", "Portrait of Marian Thwaite"],
    ["/cctv", ""],
  ]) {
    const picture = (await read(path ?? "")).match(/<picture>.*?<\/picture>/gs)?.find((element) => element.includes(`alt="${alt}"`)) ?? "";
    for (const format of ["avif", "webp", "jpeg"]) {
      const candidates = new RegExp(`type="image/${format}" srcSet="([^"]+)"`, "i").exec(picture)?.[1]?.split(", ") ?? [];
      expect(candidates.map((candidate) => candidate.split(" ")[1])).toEqual(["320w", "640w", "960w"]);
      for (const candidate of candidates) {
        const { width } = await sharp(join(built, candidate.split(" ")[0] ?? "")).metadata();
        expect(`${width}w`).toBe(candidate.split(" ")[1]);
      }
    }
  }
  expect(await read("/")).toContain("/images/team/callum-birkett.svg");
});

/** The development builds of React and of its server renderer. */
async function reactForDevelopment(): Promise<string> {
  const files = ["react/cjs/react.development.js", "react-dom/cjs/react-dom-server.node.development.js"];
  const texts = files.map((file) => readFile(new URL(`../../node_modules/${file}`, import.meta.url), "utf8"));
  return (await Promise.all(texts)).join("\n");
}

async function createPhoto(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await sharp({ create: { width: 1000, height: 1000, channels: 3, background: "#446688" } }).toFile(file);
}

async function read(path: string): Promise<string> {
  return (await site.fetch(new Request(SITE_URL + path), { clientAddress: "192.0.2.1" })).text();
}

function oldFactsIn(text: string): string[] {
  const { name, registeredName, companyNumber, phone, phoneHref, mobile = phone, mobileHref = phoneHref, email, address } = provider;
  const [firstName = name] = name.split(" ");
  const { street, locality, postalCode } = address;
  const facts = [
    firstName,
    registeredName,
    `number ${companyNumber}`,
    phone,
    phoneHref,
    mobile,
    mobileHref,
    email,
    street,
    locality,
    postalCode,
  ];
  return facts.filter((fact) => text.includes(fact));
}
