import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

/** The instructions of the Dockerfile, by stage. */
const stages = await readStages();
const [build = [], image = []] = stages;

async function readStages(): Promise<[name: string, value: string][][]> {
  const text = (await readFile("Dockerfile", "utf8")).replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "");
  const instructions = [...text.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = "", value = ""]): [string, string] => [name, value]);
  const found: [string, string][][] = [];
  for (const instruction of instructions) {
    if (instruction[0] === "FROM") found.push([]);
    found.at(-1)?.push(instruction);
  }
  return found;
}

const valueOf = (stage: [string, string][], wanted: string): string | undefined => stage.findLast(([name]) => name === wanted)?.[1];

test("each stage names the version of its base image, and the build copies the checkout", () => {
  expect(stages).toHaveLength(2);
  for (const stage of stages) expect(valueOf(stage, "FROM")).toMatch(/^[a-z]+:(?!latest)[\w.-]+(?: AS \w+)?$/);
  const copied = build.filter(([name]) => name === "COPY").flatMap(([, value]) => value.split(" ").slice(0, -1));
  expect(copied).toEqual(["."]);
  expect(existsSync("package-lock.json")).toBe(true);
});

test("the image holds the release only, and runs it as a user without rights who can write its two volumes", () => {
  expect(image.filter(([name]) => name === "COPY")).toEqual([["COPY", "--from=build /larkfell /opt/larkfell"]]);
  expect(image.filter(([name]) => name === "ADD")).toEqual([]);
  expect(valueOf(image, "USER")).toBe("10001");
  expect(valueOf(image, "VOLUME")).toBe('["/data", "/backups"]');
  expect(valueOf(image, "ENV")).toContain("DATA_DIR=/data BACKUP_DIR=/backups");
  expect(valueOf(image, "STOPSIGNAL")).toBe("SIGTERM");
  expect(valueOf(image, "HEALTHCHECK")).toMatch(/ CMD \["larkfell", "healthcheck"\]$/);
  expect([valueOf(image, "ENTRYPOINT"), valueOf(image, "CMD")]).toEqual(['["larkfell"]', '["start"]']);
});

test("the build gets neither secrets nor data nor what another machine installed", async () => {
  const ignored = (await readFile(".dockerignore", "utf8")).split("\n");
  for (const entry of [".env", "data", ".git", "node_modules", "**/node_modules", "**/build", "release"]) expect(ignored).toContain(entry);
});

test("each installation of packages is unattended, without recommended ones, and leaves no lists behind", () => {
  const runs = stages.flat().flatMap(([name, value]) => (name === "RUN" ? [value] : []));
  const installations = runs.filter((run) => run.includes("apt-get install"));
  expect(installations).not.toEqual([]);
  for (const run of installations)
    expect(run).toMatch(/^apt-get update && apt-get install --yes --no-install-recommends [^&]+ && rm -rf \/var\/lib\/apt\/lists\/\*$/);
  for (const run of runs) expect(run).not.toMatch(/\bsudo\b|(?:^|&& )cd |curl|wget/);
  for (const [name, value] of stages.flat()) if (name === "WORKDIR") expect(value).toMatch(/^\//);
});

test("compose.yaml leaves the data directory to .env, so that a restored one can be named there", async () => {
  const compose = await readFile("compose.yaml", "utf8");
  const [, variables = ""] = /^ {4}environment:\n((?: {6}.+\n)+)/m.exec(compose) ?? [];
  expect([...variables.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name]) => name)).toEqual(["HOST", "PORT", "BACKUP_DIR"]);
});
