import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, test } from "vitest";
import { addDate, clientOf, openPortal, visit } from "../support/portal.ts";
import { openLive } from "../support/windows.ts";

describe("a change by somebody else", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
    await addDate(staff, "2031-06-02T09:00", 9, ...["Pat Beck", "Pat Crag", "Pat Dale"].map((name) => ({ name })));
    await openLive(portal(), "/admin/bookings");
  });

  test("is not overwritten by the undo of a payment, which says so", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?words=Pat");
    await page.getByRole("button", { name: /^Mark paid, card: Pat Beck/ }).press("Enter");
    await page.getByText("Pat Beck paid: Paid, card.").waitFor();
    await staff.from("bookings").update({ payment_method: "bank_transfer" }).eq("name", "Pat Beck").throwOnError();
    await page.getByRole("row", { name: /Pat Beck.*Paid, bank transfer/s }).waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByText("Somebody else changed or deleted the booking of Pat Beck meanwhile, so its payment was not undone.").waitFor();
    await page.getByRole("row", { name: /Pat Beck.*Paid, bank transfer/s }).waitFor();
    await page.getByRole("link", { name: "Show the booking" }).press("Enter");
    await page.getByRole("region", { name: "Pat Beck", exact: true }).getByText("Paid, bank transfer").first().waitFor();
  });
});
