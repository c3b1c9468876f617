import { expect, test, vi } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, subscribed, VERSIONS } from "./fixture.ts";

const SCHEMA = `
  create table public.notes (id integer primary key, owner text, size numeric, made_at timestamptz);
  alter table public.notes enable row level security;
  create policy "owners read" on public.notes for select to authenticated using (owner = auth.jwt() ->> 'sub');
  grant select on public.notes to authenticated;
  alter publication supabase_realtime add table public.notes;
  create policy "owners listen" on realtime.messages for select to authenticated using (realtime.topic() = 'of-' || (auth.jwt() ->> 'sub'));
`;

describeDatabases("database changes for the official client", (open) => {
  test.each(VERSIONS)("of version %s arrive with typed values, by policy and filter", async (vsn) => {
    await using realtime = await openRealtime(() => open({ scripts: [SCHEMA] }));
    const token = await realtime.token({ sub: "ann" });
    const client = realtime.client({ vsn, accessToken: () => Promise.resolve(token) });
    await client.realtime.setAuth();
    const changes: unknown[] = [];
    const ready = vi.fn<(message: unknown) => void>();
    const channel = client
      .channel("notes")
      .on("system", {}, (message) => ready(message))
      .on("postgres_changes", { event: "INSERT", schema: "public", table: "notes", filter: "size=gt.1" }, ({ new: row }) =>
        changes.push(row),
      )
      .on("postgres_changes", { event: "DELETE", schema: "public", table: "notes" }, ({ old }) => changes.push(old));
    await subscribed(channel);
    const message = { extension: "postgres_changes", status: "ok", message: "Subscribed to PostgreSQL", channel: "notes" };
    await vi.waitFor(() => expect(ready).toHaveBeenCalledWith(message));
    await realtime.database.transaction((tx) =>
      tx.script(`insert into notes values (1, 'ann', 0.5, now()), (2, 'bob', 2, now()), (3, 'ann', 2.5, '2026-11-22T10:00Z');
        delete from notes where id in (2, 3)`),
    );
    await vi.waitFor(() => expect(changes.length).toBe(2));
    expect(changes).toEqual([{ id: 3, owner: "ann", size: 2.5, made_at: "2026-11-22T10:00:00+00:00" }, { id: 3 }]);
  });

  test("that cannot be subscribed to are a system message, and the channel lives on", async () => {
    await using realtime = await openRealtime(() => open({ scripts: [SCHEMA] }));
    const client = realtime.client();
    const heard = vi.fn<(message: unknown) => void>();
    const channel = client
      .channel("none")
      .on("system", {}, (message) => heard(message))
      .on("postgres_changes", { event: "*", schema: "public", table: "missing" }, () => undefined);
    await subscribed(channel);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(expect.objectContaining({ status: "error", extension: "postgres_changes" })));
    expect(channel.state).toBe("joined");
  });

  test("and messages of SQL reach the private channels that policies permit", async () => {
    await using realtime = await openRealtime(() => open({ scripts: [SCHEMA] }));
    const token = await realtime.token({ sub: "ann" });
    const client = realtime.client({ accessToken: () => Promise.resolve(token) });
    await client.realtime.setAuth();
    const heard: unknown[] = [];
    const own = client
      .channel("of-ann", { config: { private: true } })
      .on("broadcast", { event: "*" }, ({ payload }) => heard.push(payload));
    await subscribed(own);
    await expect(subscribed(client.channel("of-bob", { config: { private: true } }))).rejects.toThrow(
      "You do not have permissions to read",
    );
    await realtime.database.transaction((tx) => tx.script(`select realtime.send('{"n": 1}', 'news', 'of-ann')`));
    await vi.waitFor(() => expect(heard).toMatchObject([{ n: 1 }]));
  });
});
