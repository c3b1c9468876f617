import { useContext, useEffect, useEffectEvent, useRef } from "react";
import { useRevalidator } from "react-router";
import type { FollowedTable, Following } from "./followers.client.ts";
import { LiveContext } from "./live.tsx";

interface FollowOptions {
  /** Loads the tables again; without it the page loads its data again. */
  reload?: () => void;
  /** True while the page saves an optimistic update: a reload would show the old rows. */
  isPaused?: boolean;
}

/** Reloads after changes of these tables, and after interruptions in which it may have missed some. */
export function useFollowChanges(tables: readonly FollowedTable[], { reload, isPaused = false }: FollowOptions = {}): void {
  const connection = useContext(LiveContext);
  const { revalidate } = useRevalidator();
  const following = useRef<Following>(undefined);
  const followed = useEffectEvent(() => tables);
  const load = useEffectEvent(reload ?? (() => void revalidate()));
  const paused = useEffectEvent(() => isPaused);
  useEffect(() => {
    const started = connection?.follow({ tables: followed(), reload: () => load(), isPaused: () => paused() });
    following.current = started;
    return () => started?.stop();
  }, [connection]);
  useEffect(() => {
    if (!isPaused) following.current?.catchUp();
  }, [isPaused]);
}
