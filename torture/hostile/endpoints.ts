import type { Random } from "./random.ts";
import { restQuery } from "./rest-query.ts";
import { type Fields, hostileText } from "./values.ts";

/** The public facts about a running site. */
export interface Target {
  port: number;
  publishableKey: string;
  /** A published post, and the name of the image that it shows. */
  slug: string;
  image: string;
}

/** A public endpoint: how well-behaved clients call it. */
interface Endpoint {
  /** The line of the table. */
  name: string;
  methods: readonly string[];
  /** Path and query. */
  path: (random: Random, target: Target) => string;
  fields?: Fields;
}

const UUID = "00000000-0000-4000-8000-000000000001";
const EMAIL = "jo@larkfell-training.example";
const ID = [UUID, "x", "", "%00", "..%2f..", "1".repeat(300)];
const SIZES = ["1", "16", "640", "2500", "99999", "0", "-1", "1e3", "x", ""];
const FORMATS = ["origin", "avif", "webp", "jpeg", ""];

/** Every public endpoint, grouped by API. */
export const ENDPOINTS: readonly Endpoint[] = [
  page("page /", () => "/"),
  page("page /:course", (random) => random.pick(["/cctv", "/door-supervisor", "/first-aid", "/nope", "/CCTV", "//cctv", "/cctv/"])),
  page("page /blog", () => "/blog"),
  page("page /blog/:slug", (random, { slug }) => `/blog/${random.pick([slug, `${slug}-2`, "x", hostileSegment(random)])}`),
  page("page others", (random) =>
    random.pick(["/privacy-policy", "/terms-conditions", "/enquiry/thanks", hostileSegment(random)].map(rooted)),
  ),
  page(
    "portal",
    (random) => `/admin${random.pick(["", "/courses", "/staff", "/set-up", "/courses/x/register", "/nope", ".data", "?_routes=x"])}`,
  ),
  page("small files", (random) =>
    random.pick(["/sitemap.xml", "/robots.txt", "/site.webmanifest", "/health", "/blog/rss.xml", "/favicon.svg"]),
  ),
  page(
    "assets",
    (random) =>
      `/${random.pick(["assets", "images", "fonts"])}/${random.pick(["x.js", "../../package.json", "..%2f..%2fpackage.json", "%00.js", "a.b.c"])}`,
  ),
  page("calendar", (random) => `/calendar/${random.pick([UUID, "x", "%ff"])}.ics`),
  page(
    "og-images",
    (random, { slug }) => `/social/blog/${random.pick([slug, slug, "x", "-".repeat(2000)])}.jpg${random.pick(["", "?v=x", "?v=1&v=2"])}`,
  ),
  {
    name: "form /enquiry",
    methods: ["POST", "POST", "GET"],
    path: (random) => `/enquiry${random.pick(["", "", "?course=cctv", "?date=x", "?index"])}`,
    fields: { name: "Ada", reply_to: "ada@mail.example", course: "cctv", message: "When?", website: "" },
  },
  { name: "form /visit-opt-out", methods: ["POST", "GET"], path: () => "/visit-opt-out", fields: { opt_out: "1" } },

  ...["course_dates", "blog_posts"].map((table) => rest(table, ["GET", "GET", "GET", "HEAD", "POST", "PATCH", "DELETE", "PUT"])),
  ...["bookings", "enquiries", "waiting_list", "changes"].map((table) => rest(table, ["GET", "POST", "DELETE"])),
  {
    ...rest("other", ["GET", "POST"]),
    path: (random) =>
      `/rest/v1/${random.pick(["", "nope", "pg_catalog.pg_user", "%00", "a/b", hostileSegment(random)])}${restQuery(random)}`,
  },
  rpc("posts_expire_at", {}),
  rpc("find_people", { words: "ada" }),
  rpc("send_enquiry", { id: UUID, name: "Ada", reply_to: "ada@mail.example", message: "x" }),
  rpc("begin_staff_act", { act: "invite", member_email: "x@y.example" }),
  rpc("nope", { a: 1 }),

  auth("token?grant_type=password", { email: EMAIL, password: "wrong password" }),
  auth("token?grant_type=refresh_token", { refresh_token: "abcdefghijkl" }),
  auth("token?grant_type=pkce", { auth_code: UUID, code_verifier: "v".repeat(50) }),
  auth("token?grant_type=id_token", { id_token: "x.y.z", provider: "google", nonce: "n" }),
  auth("signup", { email: "new@mail.example", password: "long enough a password", data: {} }),
  auth("otp", { email: EMAIL, create_user: false, data: {} }),
  auth("verify", { type: "email", email: EMAIL, token: "12345678" }),
  {
    name: "auth GET verify",
    methods: ["GET"],
    path: (random) =>
      `/auth/v1/verify?token=${random.pick(ID)}&type=recovery&redirect_to=${encodeURIComponent(hostileText(random).slice(0, 2000).toWellFormed())}`,
  },
  auth("recover", { email: EMAIL }),
  auth("resend", { type: "signup", email: EMAIL }),
  auth("setup", { token: "x", email: EMAIL, password: "long enough a password" }),
  auth("sso", { domain: "x.example", provider_id: UUID }),
  auth("sso/saml/acs", { SAMLResponse: "PHg+", RelayState: UUID }),
  {
    name: "auth authorize",
    methods: ["GET", "POST"],
    path: (random) =>
      `/auth/v1/${random.pick(["authorize", "callback"])}?provider=${random.pick(["google", "x", ""])}&state=${random.pick(ID)}&code=x`,
  },
  { name: "auth user", methods: ["GET", "PUT"], path: () => "/auth/v1/user", fields: { password: "long enough a password", data: {} } },
  {
    name: "auth factors",
    methods: ["POST", "DELETE"],
    path: (random) =>
      `/auth/v1/factors${random.pick(["", `/${random.pick(ID)}/verify`, `/${random.pick(ID)}/challenge`, `/${random.pick(ID)}`])}`,
    fields: { factor_type: "totp", friendly_name: "x", code: "123456" },
  },
  {
    name: "auth others",
    methods: ["GET", "POST", "DELETE"],
    path: (random) =>
      `/auth/v1/${random.pick(["health", "settings", ".well-known/jwks.json", "logout", "reauthenticate", "user/identities/x", "passkeys/x", "nope", "sso/saml/metadata"])}`,
  },
  {
    name: "auth admin",
    methods: ["GET", "POST", "PUT", "DELETE"],
    path: (random) =>
      `/auth/v1/${random.pick(["invite", "admin/users", `admin/users/${random.pick(ID)}`, "admin/generate_link", "admin/sso/providers"])}`,
    fields: { email: EMAIL, type: "recovery" },
  },

  {
    name: "storage object",
    methods: ["GET", "HEAD", "GET", "POST", "PUT", "DELETE"],
    path: (random, target) =>
      `/storage/v1/object/${random.pick(["", "public/", "authenticated/", "info/public/", "sign/"])}${bucket(random)}/${file(random, target)}${random.pick(["", "?download", "?download=%0d%0ax", "?token=x.y.z"])}`,
    fields: { file: "x" },
  },
  {
    name: "storage pictures",
    methods: ["GET", "HEAD"],
    path: (random, target) =>
      `/storage/v1/render/image/${random.pick(["public", "public", "authenticated", "sign"])}/post-images/${file(random, target)}?${transform(random)}`,
  },
  {
    name: "storage others",
    methods: ["GET", "POST", "PUT", "DELETE"],
    path: (random) =>
      `/storage/v1/${random.pick(["bucket", `bucket/${random.pick(ID)}`, "object/list/post-images", "object/list-v2/post-images", "object/move", "object/copy", "object/sign/post-images", "object/upload/sign/post-images/x.png?token=x.y.z", "cdn/post-images/x", "status", "nope", "s3/x"])}`,
    fields: { prefix: "", limit: 10, bucketId: "post-images", sourceKey: "a", destinationKey: "b", paths: ["x"], expiresIn: 60 },
  },
  {
    name: "storage resumable",
    methods: ["POST", "PATCH", "HEAD", "OPTIONS", "DELETE"],
    path: (random) => `/storage/v1/upload/resumable${random.pick(["", "/sign", `/${random.pick(ID)}`])}`,
  },

  {
    name: "realtime broadcast",
    methods: ["POST"],
    path: () => "/realtime/v1/api/broadcast",
    fields: { messages: [{ topic: "same", event: "e", payload: {}, private: false }] },
  },
  {
    name: "realtime broadcast to a topic",
    methods: ["POST", "GET"],
    path: (random) =>
      `/realtime/v1/api/broadcast/${random.pick(["same", hostileSegment(random)])}/events/${random.pick(["e", hostileSegment(random)])}${random.pick(["", "?private=true"])}`,
    fields: { text: "x" },
  },
  {
    name: "functions record-page-view",
    methods: ["POST"],
    path: () => "/functions/v1/record-page-view",
    fields: { page_path: "/cctv", session_id: UUID, referrer: "https://x.example/" },
  },
  {
    name: "functions send-enquiry",
    methods: ["POST"],
    path: () => "/functions/v1/send-enquiry",
    fields: { id: UUID, name: "Ada", reply_to: "ada@mail.example", message: "When?", course_name: "Lvl 2 CCTV" },
  },
  {
    name: "functions staff",
    methods: ["POST", "GET"],
    path: () => "/functions/v1/staff",
    fields: { act: "link", member_id: UUID, by_hand: true },
  },
  {
    name: "functions others",
    methods: ["POST", "GET"],
    path: (random) =>
      `/functions/v1/${random.pick(["record-opt-out", "get-website-stats", "mail-enquiries", "mail-backups", "nope", "../x", "_shared", "%2e%2e"])}${random.pick(["", "/a/b", "?period=x"])}`,
    fields: { periodDays: 30 },
  },
];

function page(name: string, path: Endpoint["path"]): Endpoint {
  return {
    name,
    methods: ["GET", "GET", "HEAD", "POST"],
    path: (random, target) =>
      path(random, target) + (random.chance(0.3) ? random.pick(["?x=1", "?_data=routes", "?%ff", `?${"a=1&".repeat(900)}`]) : ""),
  };
}

function rest(table: string, methods: readonly string[]): Endpoint {
  const fields = { id: UUID, title: "x", content: "x", course_name: "Lvl 2 CCTV", course_date: "2031-03-10T09:00:00Z", capacity: 1 };
  return { name: `rest ${table}`, methods, path: (random) => `/rest/v1/${table}${restQuery(random)}`, fields };
}

function rpc(name: string, fields: Fields): Endpoint {
  return { name: `rest rpc/${name}`, methods: ["POST", "GET"], path: (random) => `/rest/v1/rpc/${name}${restQuery(random)}`, fields };
}

function auth(path: string, fields: Fields): Endpoint {
  return { name: `auth ${path.replace("?grant_type=", " ")}`, methods: ["POST"], path: () => `/auth/v1/${path}`, fields };
}

function rooted(segment: string): string {
  return `/${segment.replace(/^\//, "")}`;
}

function hostileSegment(random: Random): string {
  return random.pick([
    "%00",
    "%ff",
    "%c0%af",
    "%252e%252e",
    "..",
    ".%2e",
    "a".repeat(7000),
    "%F0%9F%92%A9",
    "a;b=c",
    "*",
    "%20",
    "__proto__",
    "x.data",
    "%5c%5c",
  ]);
}

function bucket(random: Random): string {
  return random.pick(["post-images", "post-images", "nope", "__proto__", hostileSegment(random)]);
}

function file(random: Random, { image }: Target): string {
  return random.pick([image, image, image, "x-1x1.png", `${image}/x`, hostileSegment(random)]);
}

function transform(random: Random): string {
  const parts = [
    `width=${random.pick(SIZES)}`,
    `height=${random.pick(SIZES)}`,
    `quality=${random.pick(["20", "75", "100", "101", "x"])}`,
    `resize=${random.pick(["cover", "contain", "fill", "x"])}`,
    `format=${random.pick(FORMATS)}`,
    `width=${1 + random.below(2500)}`,
  ];
  return parts.filter(() => random.chance(0.4)).join("&");
}
