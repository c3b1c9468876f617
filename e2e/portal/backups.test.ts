import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import { openPortal, testScreen, visit } from "../support/portal.ts";
import { STAFF_ENV, startProcess } from "../support/product.ts";

const SECRET_KEY = "sb_secret_backups-0123456789abcdef";

describe("the line about backups on the dashboard", () => {
  let service: SupabaseClient;
  let night: string;
  const portal = openPortal(async (dataDir) => {
    const site = await startProcess("server/build/site.js", { DATA_DIR: dataDir, SECRET_KEY, ...STAFF_ENV });
    service = createClient(site.url, SECRET_KEY, { auth: { persistSession: false } });
    return { url: site.url, stop: async () => void (await site.stop()) };
  });

  async function end(result: { row_count: number } | { problem: string }): Promise<void> {
    const { error } = await service.rpc("end_backup_check", { night, ...result });
    expect(error).toBeNull();
  }

  test("tells an owner that no backup is set up", async () => {
    await portal().goto("/admin");
    await portal().getByText("No backup is set up.").waitFor();
  });

  test("tells when the last backup was checked, and its rows", async () => {
    night = (await service.rpc("begin_backup_check")).data;
    await end({ row_count: 4812 });
    await portal().goto("/admin");
    await portal()
      .getByText(/^Backup checked \d\d:\d\d, 4,812 rows$/)
      .waitFor();
  });

  test("tells that the last backup failed, before everything else", async () => {
    await end({ problem: "damaged" });
    await portal().goto("/admin");
    const alert = portal().getByRole("main").getByRole("alert");
    await alert.getByText(/^The backup of \w+ \d+ \w+ \d{4} failed because the backup is damaged\. Please tell/).waitFor();
    const first = await portal()
      .getByRole("main")
      .evaluate((main) => main.querySelector("[role=alert], section")?.getAttribute("role"));
    expect(first).toBe("alert");
    expect(await portal().getByText("Backup checked").count()).toBe(0);
  });

  testScreen("the dashboard with a failed backup", portal, async (page) => {
    await visit(page, "/admin");
    await page.getByRole("main").getByRole("alert").waitFor();
    await page.getByText("Unique Visitors").waitFor();
  });
});
