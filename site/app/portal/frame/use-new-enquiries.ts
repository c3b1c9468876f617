import { useEffect, useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { useFollowChanges } from "../live/use-follow-changes.ts";
import type { User } from "./use-user.ts";

/** The number of new enquiries; counted again after each action, which reads the signed-in person again, and after changes. */
export function useNewEnquiries(user: User): number {
  const [count, setCount] = useState<number | null>(0);
  useFollowChanges(["enquiries"], { reload: () => void countNew().then(setCount) });
  useEffect(() => {
    if (user.userId) void countNew().then(setCount);
  }, [user]);
  return count ?? 0;
}

async function countNew(): Promise<number | null> {
  const { count } = await browserClient().from("enquiries").select("id", { count: "exact", head: true }).eq("status", "new");
  return count;
}
