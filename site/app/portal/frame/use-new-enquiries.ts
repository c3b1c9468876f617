import { useEffect, useState } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { usePolling } from "./use-polling.ts";

/** The number of new enquiries; counted again after each navigation and action, and while the page is visible. */
export function useNewEnquiries(): number {
  const [count, setCount] = useState(0);
  const [navigation, revalidator] = [useNavigation(), useRevalidator()];
  const busy = navigation.state !== "idle" || revalidator.state !== "idle";
  // Without an answer the last count stays.
  const ask = (): void => void countNew().then((answer) => setCount((last) => answer ?? last));

  usePolling(ask);
  useEffect(() => {
    if (!busy) return;
    return () => void countNew().then((answer) => setCount((last) => answer ?? last));
  }, [busy]);
  return count;
}

async function countNew(): Promise<number | null> {
  const { count } = await browserClient().from("enquiries").select("id", { count: "exact", head: true }).eq("status", "new");
  return count;
}
