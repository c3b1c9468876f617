import type { Hono } from "hono";
import type { Connection } from "../../connection.ts";
import type { Guards } from "../guards.ts";
import { createUser } from "./create-user.ts";
import { deleteFactor } from "./delete-factor.ts";
import { deleteUser } from "./delete-user.ts";
import { getFactors } from "./get-factors.ts";
import { generateLink } from "./generate-link.ts";
import { getUserById } from "./get-user-by-id.ts";
import { getUsers } from "./get-users.ts";
import { invite } from "./invite.ts";
import { signOutUser } from "./sign-out-user.ts";
import { saml } from "../optional/index.ts";
import { updateUserById } from "./update-user-by-id.ts";

/** Adds what the holder of the secret key may do. */
export function addAdminRoutes(app: Hono<{ Bindings: Connection }>, { admin }: Guards): void {
  app.post("/invite", admin(invite));
  app.post("/admin/generate_link", admin(generateLink));
  app.get("/admin/users", admin(getUsers));
  app.post("/admin/users", admin(createUser));
  app.get("/admin/users/:id", admin(getUserById));
  app.put("/admin/users/:id", admin(updateUserById));
  app.delete("/admin/users/:id", admin(deleteUser));
  app.post("/admin/users/:id/logout", admin(signOutUser));
  app.get("/admin/users/:id/factors", admin(getFactors));
  app.delete("/admin/users/:id/factors/:factor", admin(deleteFactor));
  app.get("/admin/sso/providers", admin(saml("getProviders")));
  app.post("/admin/sso/providers", admin(saml("createProvider")));
  app.get("/admin/sso/providers/:provider", admin(saml("getProvider")));
  app.put("/admin/sso/providers/:provider", admin(saml("updateProvider")));
  app.delete("/admin/sso/providers/:provider", admin(saml("deleteProvider")));
}
