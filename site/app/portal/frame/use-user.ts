import { useRouteLoaderData } from "react-router";

/** The signed-in person. */
export interface User {
  userId: string;
  email: string | undefined;
}

/** Returns the signed-in person; undefined on pages outside the layout `signed-in.tsx`. */
export function useUser(): User | undefined {
  return useRouteLoaderData<User>("portal/signed-in");
}
