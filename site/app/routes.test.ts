import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pages } from "content/pages.ts";
import { expect, test } from "vitest";
import routes from "./routes.ts";
import { resources } from "./server/resources.ts";

const ROUTES = fileURLToPath(new URL("routes/", import.meta.url));
const ROUTE_MODULE = /^export (?:async )?function (?:loader|action|meta)\b|^export default /m;

const declared = [...pages, ...resources];

test("every route outside the portal is declared, and every declaration is a route", () => {
  const outside = routes.map(({ path = "" }) => path).filter((path) => path !== "admin" && path !== "*");
  expect(outside.toSorted()).toEqual(declared.map(({ path }) => path).toSorted());
});

test("every route module is declared", () => {
  const modules = globSync("**/*.{ts,tsx}", { cwd: ROUTES }).filter((file) => ROUTE_MODULE.test(readFileSync(ROUTES + file, "utf8")));
  expect(modules.toSorted()).toEqual([...new Set([...declared.map(({ file }) => file), "not-found.tsx"])].toSorted());
});

test("a page is declared as an island exactly if a module hydrates it", () => {
  const islands = pages.filter(({ island }) => island).map(({ file }) => file.replace(/tsx$/, "island.tsx"));
  expect(globSync("**/*.island.tsx", { cwd: ROUTES }).toSorted()).toEqual(islands.toSorted());
});
