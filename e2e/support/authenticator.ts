import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";

const PERIOD_S = 30;
// The time that the code before the current one must still be valid when it is sent.
const LEFT_MS = 15_000;

/** Starts the set-up of a device and reads the secret for its app. */
export async function secretShown(page: Page, device: string): Promise<string> {
  await page.getByLabel("Device", { exact: true }).fill(device);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR code" }).waitFor();
  return (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(" ", "");
}

/**
 * The current code, which is accepted for another step, or the code some steps of thirty seconds away; waits for the next step if
 * this one is about to end and an earlier code is wanted.
 */
export async function codeOf(secret: string, steps = 0): Promise<string> {
  const left = TOTP.remaining({ period: PERIOD_S });
  if (steps < 0 && left < LEFT_MS) await new Promise((resolve) => setTimeout(resolve, left + 50));
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * PERIOD_S * 1000 });
}
