import type { Hono } from "hono";
import type { Connection } from "../../connection.ts";
import type { Guards } from "../guards.ts";
import { generateLink } from "./generate-link.ts";
import { deleteFactor, getFactors } from "./factors.ts";
import { invite } from "./invite.ts";
import { saml } from "../optional/index.ts";
import { createUser, deleteUser, getUserById, getUsers, signOutUser, updateUserById } from "./users.ts";

/** Adds the endpoints that require the secret key or a token of the service role. */
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
