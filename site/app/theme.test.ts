import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const COLOUR = /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|oklab|lab|lch)a?\(/i;

test("every colour of every stylesheet is a variable of theme.css", () => {
  const styles = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true }).filter(
    ({ name }) => name.endsWith(".css") && name !== "theme.css",
  );
  for (const { parentPath, name } of styles) {
    const lines = readFileSync(`${parentPath}/${name}`, "utf8").split("\n");
    expect
      .soft(
        lines.filter((line) => COLOUR.test(line)),
        `${parentPath}/${name}`,
      )
      .toEqual([]);
  }
});
