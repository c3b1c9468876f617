import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";

const PERIOD_S = 30;
// A code must still be of its step when it arrives.
const LEFT_MS = 8000;

/** Begins to set up a device, and reads the key an app would be given. */
export async function secretShown(page: Page, device: string): Promise<string> {
  await page.getByLabel("Device", { exact: true }).fill(device);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR code" }).waitFor();
  return (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(" ", "");
}

/** The code an app shows now, or so many steps of thirty seconds away, once the step has some seconds left; each is good once. */
export async function codeOf(secret: string, steps = 0): Promise<string> {
  const left = TOTP.remaining({ period: PERIOD_S });
  if (left < LEFT_MS) await new Promise((resolve) => setTimeout(resolve, left + 50));
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * PERIOD_S * 1000 });
}
