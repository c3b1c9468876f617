import { execFile } from "node:child_process";
import { cp, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { provider } from "content/provider.ts";
import pino from "pino";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProcess, temporaryDirectory } from "../support/product.ts";

// Another provider takes over the site: after one content file is replaced and the site is built, nothing names the old one.

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
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

const cleanup = new AsyncDisposableStack();
let site: { fetch(request: Request, visitor: { clientAddress: string }): Promise<Response> };
let built: string;
/** The texts that the site requested for Open Graph images of posts. */
const renderedTexts: unknown[] = [];

beforeAll(async () => {
  const copy = cleanup.use(await temporaryDirectory()).path;
  const dataDir = cleanup.use(await temporaryDirectory());
  const backend = startProcess("server/backend.ts", { DATA_DIR: dataDir.path, ...KEYS });
  await copyProject(copy);
  const source = `import type { Provider } from "./types.ts";\nexport const provider: Provider = ${JSON.stringify(successor)};\n`;
  await writeFile(join(copy, "content/provider.ts"), source);
  await takePhoto(join(copy, "site/app/photos/team/marian-thwaite.jpg"));
  await takePhoto(join(copy, "site/app/photos/courses/cctv.png"));
  const builder = join(ROOT, "node_modules/@react-router/dev/bin.cjs");
  await promisify(execFile)(process.execPath, [builder, "build", "--logLevel", "warn"], { cwd: join(copy, "site") });

  const { url } = cleanup.use(await backend);
  built = join(copy, "site/build/client");
  const { createSite } = await import(pathToFileURL(join(copy, "site/build/server/index.js")).href);
  site = await createSite({
    siteUrl: SITE_URL,
    supabase: { url, publishableKey: KEYS.PUBLISHABLE_KEY, fetch },
    enquiryFormUrl: undefined,
    renderOgImage: (text: unknown) => Promise.resolve(renderedTexts.push(text) && new Uint8Array()),
    readAsset: (path: string) => readFile(built + path, "utf8"),
    pageLifetimeMs: 60_000,
    log: pino({ level: "silent" }),
  });
});
afterAll(() => cleanup.disposeAsync());

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

async function takePhoto(file: string): Promise<void> {
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

/** Copies the sources of the site; packages are linked, except `content`, which is copied. */
async function copyProject(copy: string): Promise<void> {
  const left = new Set(["build", "node_modules", ".react-router"]);
  for (const folder of ["site", "content"]) {
    await cp(join(ROOT, folder), join(copy, folder), { recursive: true, filter: (source) => !left.has(basename(source)) });
  }
  for (const name of ["supabase", "backend", "tsconfig.json", "package.json"]) await symlink(join(ROOT, name), join(copy, name));
  await symlink(join(ROOT, "site/node_modules"), join(copy, "site/node_modules"));
  await mkdir(join(copy, "node_modules"));
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    await symlink(name === "content" ? join(copy, "content") : join(ROOT, "node_modules", name), join(copy, "node_modules", name));
  }
}
