import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";

/** Refuses to link and unlink identities by hand unless config.toml allows it. Fails with a 404. */
export function requireManualLinking({ auth }: Call): void {
  if (!auth.settings.enable_manual_linking) throw new AuthError(404, "manual_linking_disabled", "Manual linking is disabled");
}
