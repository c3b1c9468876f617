import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { REFUSED, refuseWhileStored } from "../support/form-input.ts";
import { renderLate } from "../support/late-rendering.ts";
import { clientOf, focused, openPortal, visit } from "../support/portal.ts";
import { preferMarkdown } from "../support/posts.ts";

describe("a form whose effects React runs late", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
    const draft = { title: "Late", author: "Jo", slug: "late", content: "Late.", published_at: null };
    await staff.from("blog_posts").insert(draft).throwOnError();
    await portal().addInitScript(refuseWhileStored, REFUSED);
    await preferMarkdown(portal());
    // The editor asks for confirmation before unsaved text is left.
    portal().on("dialog", (dialog) => void dialog.accept());
  });

  test("closes on Escape as soon as it appears", async () => {
    const page = portal();
    await visit(page, "/admin/blog");
    const edit = page.getByRole("button", { name: "Edit Late" });
    await edit.waitFor();
    await renderLate(page, async () => {
      await edit.click();
      await focused(page, "title");
      await page.keyboard.press("Escape");
      await page.getByRole("form", { name: "Change Late" }).waitFor({ state: "detached" });
    });
  });

  test("keeps an address that is pasted as soon as it appears, and the focus in it", async () => {
    const page = portal();
    await renderLate(page, async () => {
      await page.getByRole("button", { name: "Edit Late" }).click();
      await page.getByLabel("Address").fill("never");
      expect(await page.getByLabel("Address").inputValue()).toBe("never");
    });
    await focused(page, "slug");
    await page.getByText(/^Saved at/).waitFor();
  });

  test("saves the text typed as soon as its unsaved input is restored", async () => {
    const page = portal();
    await page.evaluate(([key, pattern]) => sessionStorage.setItem(key, pattern), [REFUSED, "/rest/v1/blog_posts"] as const);
    await page.reload();
    await page.getByRole("button", { name: "Edit Late" }).click();
    await page.getByLabel("Content").fill("Half a sentence");
    await page.goto("/admin/profile");
    await page.evaluate((key) => sessionStorage.removeItem(key), REFUSED);
    await visit(page, "/admin/blog");
    const resume = page.getByRole("button", { name: "Continue", exact: true });
    await resume.waitFor();
    await renderLate(page, async () => {
      await resume.click();
      await page.getByText("Your unsaved input was restored.").waitFor();
      await page.getByLabel("Content").fill("A whole sentence");
    });
    const stored = async (): Promise<unknown> => {
      const { data } = await staff.from("blog_posts").select("content").eq("title", "Late").single();
      return data?.content;
    };
    await expect.poll(stored).not.toBe("Late.");
    expect(await stored()).toBe("A whole sentence");
  });
});
