import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";

/** Begins to set up a device, and reads the key an app would be given. */
export async function secretShown(page: Page, device: string): Promise<string> {
  await settleInStep();
  await page.getByLabel("Device", { exact: true }).fill(device);
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR code" }).waitFor();
  return (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replaceAll(" ", "");
}

/** The code an app shows now, or so many steps of thirty seconds away; each is good once. */
export function codeOf(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
}

/** Waits until the time step has some seconds left, so that codes are of the step they are meant for. */
async function settleInStep(): Promise<void> {
  const left = TOTP.remaining({ period: 30 });
  if (left < 6000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}
