import type { Session } from "@supabase/supabase-js";
import { useRouteLoaderData } from "react-router";

/** The role of an account. The policies of the database decide what it may do; the portal shows only that. */
export type Role = "owner" | "office" | "trainer";

/** The signed-in person. */
export interface User {
  userId: string;
  role: Role;
  email: string | undefined;
  /** The name of the profile; empty if none was entered. */
  name: string;
}

/** The data of the first page for a session whose second factor may still be missing. */
export type HomeUser = User & { codeMissing: boolean };

/** Returns the person of a session. */
export function userOf({ user }: Session, role: Role): User {
  const name: unknown = user.user_metadata["display_name"];
  return { userId: user.id, role, email: user.email, name: typeof name === "string" ? name.trim() : "" };
}

/** Returns the signed-in person; undefined on pages that need no session. */
export function useUser(): User | undefined {
  const home = useRouteLoaderData<HomeUser | null>("portal/home");
  const inside = useRouteLoaderData<User>("portal/signed-in");
  return inside ?? (home && !home.codeMissing ? home : undefined);
}
