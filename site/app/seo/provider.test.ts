import { readdirSync, readFileSync } from "node:fs";
import { provider } from "content/provider.ts";
import { expect, test } from "vitest";

test("no source, style or picture of the site contains the provider's name or contact details", () => {
  const { name, registeredName, companyNumber, phone, mobile = phone, email, address } = provider;
  const [firstName = name] = name.split(" ");
  const facts = [firstName, registeredName, companyNumber, phone, mobile, email, address.street, address.locality, address.postalCode];
  const site = `${import.meta.dirname}/../..`;
  for (const folder of ["app", "public"]) {
    const files = readdirSync(`${site}/${folder}`, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.name.endsWith(".test.ts"),
    );
    for (const { parentPath, name: file } of files) {
      const text = readFileSync(`${parentPath}/${file}`, "utf8");
      for (const fact of facts) expect.soft(text.includes(fact), `${parentPath}/${file}: ${fact}`).toBe(false);
    }
  }
});
