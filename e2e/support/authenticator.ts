import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";

const PERIOD_S = 30;

/** Starts the set-up of a device and reads the secret for its app. */
export async function secretShown(page: Page, device: string): Promise<string> {
  await page.getByLabel("Device", { exact: true }).fill(device);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR code" }).waitFor();
  return (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(" ", "");
}

/** The current code, or the code some steps of thirty seconds later; the service accepts that of the next step. */
export function codeOf(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * PERIOD_S * 1000 });
}
