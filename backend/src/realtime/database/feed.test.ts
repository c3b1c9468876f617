import { expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { ANON, feeds, run, SERVICE, subscribe, until, user } from "./feed-fixture.ts";
import type { ChangeRequest } from "./requests.ts";

describeDatabases("the feed of database changes", (open) => {
  const start = feeds(open);

  test("delivers inserts, updates and deletes after their commit, with the identity of the old row", async () => {
    await using started = await start();
    const { database, feed } = started;
    const { received } = await subscribe(feed, ANON, { table: "open_notes" });
    const { received: notes } = await subscribe(feed, user("ann"), { table: "notes" });
    await run(database, "insert into open_notes values (9007199254740993, 'a'); update open_notes set text = 'b'; delete from open_notes");
    await run(database, "insert into notes values (1, 'ann', 'a', 1.5, '[1]', 's'); update notes set text = 'b'; delete from notes");
    await until(() => expect(received.length + notes.length).toBe(6));
    expect(received.map(({ type, record, old_record }) => [type, record?.["text"], old_record?.["text"]])).toEqual([
      ["INSERT", "a", undefined],
      ["UPDATE", "b", "a"],
      ["DELETE", undefined, "b"],
    ]);
    expect(received[0]).toMatchObject({
      table: "open_notes",
      columns: [
        { name: "id", type: "int8" },
        { name: "text", type: "text" },
      ],
      errors: null,
    });
    expect(received[0]?.commit_timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    // Neither a column without the privilege nor an old value outside the key.
    expect(notes.map(({ record, old_record }) => [record, old_record])).toEqual([
      [{ id: 1, owner: "ann", text: "a", size: 1.5, tags: [1] }, undefined],
      [{ id: 1, owner: "ann", text: "b", size: 1.5, tags: [1] }, { id: 1 }],
      [undefined, { id: 1 }],
    ]);
  });

  test("delivers nothing of a transaction that is rolled back, or of a savepoint", async () => {
    await using started = await start();
    const { database, feed } = started;
    const { received } = await subscribe(feed, ANON, { table: "open_notes" });
    await database.transaction((tx) => tx.query("insert into open_notes values (1, 'no')"), { rollback: true });
    await run(
      database,
      "savepoint s; insert into open_notes values (2, 'no'); rollback to s; insert into open_notes values (3, 'yes'); truncate keyless",
    );
    await run(database, "insert into open_notes values (4, 'yes')");
    await until(() => expect(received.length).toBe(2));
    expect(received.map(({ record }) => record?.["id"])).toEqual([3, 4]);
  });

  test("delivers the changes of 50 concurrent writers once, in the order of their commits", async () => {
    await using started = await start("insert into open_notes values (0, '0')");
    const { database, feed } = started;
    const { received } = await subscribe(feed, ANON, { table: "open_notes" });
    const write = (writer: number) =>
      database.transaction(async (tx) => {
        // A row of its own first, so that numbers are taken before the commit; then the row that all share.
        await tx.query("insert into open_notes values ($1, 'own')", [writer]);
        await tx.query("update open_notes set text = (text::integer + 1)::text where id = 0");
        await tx.query("insert into open_notes values ($1, 'last')", [writer + 1000]);
      });
    await Promise.all(Array.from({ length: 50 }, (_, index) => write(index + 1)));
    await until(() => expect(received.length).toBe(150));
    const shared = received.filter(({ type }) => type === "UPDATE").map(({ record }) => Number(record?.["text"]));
    expect(shared).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    // Each transaction is in one piece.
    const writers = received.map(({ record }) => Number(record?.["id"]) % 1000);
    for (let at = 0; at < writers.length; at += 3)
      expect([writers[at], writers[at + 1], writers[at + 2]]).toEqual([writers[at], 0, writers[at]]);
  });

  test("shows each of ten users their own rows only, also deleted ones, with one check for equal claims", async () => {
    await using started = await start();
    const { database, feed, checks } = started;
    const users = await Promise.all(Array.from({ length: 10 }, (_, index) => subscribe(feed, user(`u${index}`), { table: "notes" })));
    const again = await Promise.all(Array.from({ length: 10 }, () => subscribe(feed, user("u7"), { table: "notes" })));
    const service = await subscribe(feed, SERVICE, { table: "notes" });
    checks.count = 0;
    await run(database, "insert into notes (id, owner) select n, 'u' || n from generate_series(0, 9) n; delete from notes");
    await until(() => expect(service.received.length).toBe(20));
    for (const [index, { received }] of users.entries())
      expect(received.map(({ type, record, old_record }) => [type, (record ?? old_record)?.["id"]])).toEqual([
        ["INSERT", index],
        ["DELETE", index],
      ]);
    expect(again.map(({ received }) => received.length)).toEqual(Array.from({ length: 10 }, () => 2));
    expect(checks.count).toBe(11);
  });

  test("evaluates the policies again for each change, and takes the claims of a new token", async () => {
    await using started = await start();
    const { database, feed } = started;
    const ann = await subscribe(feed, user("ann"), { table: "notes" });
    const expired = await subscribe(feed, { role: "authenticated", claims: { ...user("ann").claims, exp: 1 } }, { table: "notes" });
    const service = await subscribe(feed, SERVICE, { table: "notes" });
    const insert = async (id: number, owner: string): Promise<void> => {
      await run(database, `insert into notes (id, owner) values (${id}, '${owner}')`);
      await until(() => expect(service.received.at(-1)?.record).toMatchObject({ id }));
    };
    await insert(1, "ann");
    await run(database, `alter policy "owners read" on notes using (owner = 'everyone')`);
    await insert(2, "ann");
    await run(database, `create policy "not hidden" on notes as restrictive for select using (text is distinct from 'hidden')`);
    await insert(3, "everyone");
    await run(database, "insert into notes (id, owner, text) values (4, 'everyone', 'hidden')");
    await run(database, `alter policy "owners read" on notes using (owner = auth.jwt() ->> 'sub')`);
    await ann.update(user("bob"));
    await insert(5, "ann");
    await insert(6, "bob");
    ann.end();
    await insert(7, "bob");
    await run(database, `alter policy "owners read" on notes using (1 / (id - 8) > 0)`);
    expect(ann.received.map(({ record }) => record?.["id"])).toEqual([1, 3, 6]);
    expect(expired.received).toEqual([]);
    const bob = await subscribe(feed, user("bob"), { table: "notes" });
    await insert(8, "bob");
    expect(bob.received).toEqual([expect.objectContaining({ errors: ["Error 500: Internal Server Error, RLS policy evaluation failed"] })]);
    expect(bob.received[0]).not.toHaveProperty("record");
  });

  test("filters by the row that was written or deleted", async () => {
    await using started = await start();
    const { database, feed } = started;
    const FILTERS: [filter: string, ids: number[]][] = [
      ["text=eq.a", [1]],
      ["text=neq.a", [2]],
      ["text=not.eq.a", [2]],
      ["size=lt.10", [1]],
      ["size=lte.9.5", [1]],
      ["size=gt.9.5", [2]],
      ["size=gte.9.5", [1, 2]],
      ["id=in.(1,3)", [1, 3]],
      ['text=in.("a","b, c")', [1, 2]],
      ["text=like.b%", [2]],
      ["text=ilike.B%", [2]],
      ["text=match.^a$", [1]],
      ["text=imatch.^A", [1]],
      ["text=is.null", [3]],
      ["text=not.is.null", [1, 2]],
      ["text=isdistinct.a", [2, 3]],
      ["tags->>k=eq.v", [2]],
      ['text=eq."b, c",id=gt.1', [2]],
      ["id=gt.1,id=lt.3", [2]],
      ["", [1, 2, 3]],
    ];
    const { received } = await subscribe(feed, SERVICE, ...FILTERS.map(([filter]) => ({ table: "notes", filter })));
    const write = `insert into notes (id, text, size, tags) values (1, 'a', 9.5, null), (2, 'b, c', 10, '{"k": "v"}'), (3, null, null, null)`;
    await run(database, `${write}; delete from notes`);
    await until(() => expect(received.length).toBe(6));
    for (const type of ["INSERT", "DELETE"]) {
      const rows = received.filter((change) => change.type === type);
      const found = FILTERS.map(([filter], index) => [
        filter,
        rows.flatMap(({ matches, record, old_record }) => (matches.includes(index) ? [(record ?? old_record)?.["id"]] : [])),
      ]);
      expect(found).toEqual(FILTERS);
    }
  });

  test("refuses requests that cannot be served, with the message of hosted projects", async () => {
    await using started = await start();
    const { feed } = started;
    const REFUSED: [Partial<ChangeRequest>, string][] = [
      [
        { table: "unpublished" },
        "Please check Realtime is enabled for the given connect parameters: [event: *, schema: public, table: unpublished, filters: []]",
      ],
      [{ table: "notes", filter: "text=foo.a" }, 'Error parsing `filter` params: ["foo","a"]'],
      [{ table: "notes", filter: "undefined" }, 'Error parsing `filter` params: ["undefined"]'],
      [
        { table: "notes", filter: `id=in.(${Array.from({ length: 101 }, () => 1).join()})` },
        "too many values for `in` filter. Maximum 100",
      ],
      [{ table: "notes", filter: "missing=eq.1" }, "invalid column for filter missing"],
      [{ table: "notes", filter: "secret=eq.s" }, "invalid column for filter secret"],
      [{ table: "notes", filter: "id=like.1" }, "operator like requires a text-compatible column type, got int4"],
      [{ table: "notes", filter: "id=eq.one" }, 'invalid input syntax for type integer: "one"'],
      [{ table: "notes", filter: "text=match.(" }, "invalid regular expression"],
      [{ table: "notes", filter: "text=match.(a)\\1" }, "a regular expression is too large or has a back-reference"],
      [
        { table: "notes", filter: 'text=not.imatch."((a{1,200}){1,200}){1,9}"' },
        "a regular expression is too large or has a back-reference",
      ],
      [{ table: "notes", filter: "text->>k=eq.1" }, "jsonb filter requires a jsonb column, got text"],
      [{ table: "notes", filter: "text=is.true" }, "is true filter requires a boolean column, got text"],
      [{ table: "notes", select: "secret" }, "invalid column for select secret"],
      [{ select: "id" }, "Column selection is not supported for wildcard subscriptions"],
      [{ schema: "" }, "No subscription params provided"],
    ];
    for (const [request, message] of REFUSED) await expect(subscribe(feed, user("ann"), request)).rejects.toThrow(message);
  });

  test("sends the selected columns and the key, short values of rows over a megabyte, and errors of keyless tables", async () => {
    await using started = await start();
    const { database, feed } = started;
    const { received } = await subscribe(
      feed,
      SERVICE,
      { table: "notes", select: "text" },
      { table: "notes", event: "UPDATE" },
      { event: "INSERT" },
    );
    await run(database, "insert into notes (id, text, owner) values (1, repeat('x', 20000), 'ann')");
    await run(database, "update notes set text = repeat('x', 2000000)");
    await run(database, "insert into keyless values ('a')");
    await until(() => expect(received.length).toBe(5));
    expect(received.map(({ matches }) => matches)).toEqual([[0], [2], [0], [1], [2]]);
    expect(received[0]?.record).toEqual({ id: 1, text: "x".repeat(20_000) });
    expect(received[1]?.record).toMatchObject({ owner: "ann", text: "x".repeat(20_000) });
    expect(received[3]).toMatchObject({ errors: ["Error 413: Payload Too Large"], record: { id: 1, owner: "ann" } });
    expect(received[3]?.record).not.toHaveProperty("text");
    expect(received[4]).toMatchObject({ table: "keyless", errors: ["Error 400: Bad Request, no primary key"] });
  });

  test("follows the publication, and leaves tables without it and writers without subscribers alone", async () => {
    await using started = await start();
    const { database, feed } = started;
    const unheard = async (): Promise<unknown> =>
      (
        await database.transaction((tx) => tx.query("select count(*) as count from realtime.outbox where record ->> 'text' = 'unheard'"))
      )[0]?.["count"];
    const triggers = async (): Promise<unknown[]> =>
      (
        await database.transaction((tx) =>
          tx.query("select tgrelid::regclass::text as name from pg_trigger where tgname = 'realtime_record_change' order by 1"),
        )
      ).map(({ name }) => name);
    await run(database, "select realtime.follow_publication(); insert into open_notes values (1, 'unheard')");
    expect(await unheard()).toBe(0);
    const everything = await subscribe(feed, ANON, {});
    expect(await triggers()).toEqual(["columnless", "keyless", "notes", "open_notes"]);
    await run(
      database,
      "alter publication supabase_realtime add table unpublished; alter publication supabase_realtime drop table open_notes",
    );
    await run(database, "insert into open_notes values (2, 'left')");
    await subscribe(feed, ANON, { table: "unpublished" });
    expect(await triggers()).toEqual(["columnless", "keyless", "notes", "unpublished"]);
    await run(database, "insert into open_notes values (3, 'left'); insert into unpublished values (1)");
    await until(() => expect(everything.received.map(({ table }) => table)).toEqual(["unpublished"]));
  });

  test("keeps a table from roles that may not read any of its columns, also the news that it changed", async () => {
    await using started = await start();
    const { database, feed } = started;
    await expect(subscribe(feed, ANON, { table: "notes" })).rejects.toThrow("permission denied for table notes");
    const { received } = await subscribe(feed, ANON, {});
    await run(database, "insert into notes values (1, 'ann'); update notes set text = 'b'; delete from notes");
    await run(database, "insert into open_notes values (1, 'last')");
    await until(() => expect(received.length).toBeGreaterThan(0));
    expect(received.map(({ table }) => table)).toEqual(["open_notes"]);
  });

  test("sends the columns of the index that is the replica identity as the old row", async () => {
    await using started = await start(`
      alter table open_notes alter text set not null;
      create unique index by_text on open_notes (text);
      alter table open_notes replica identity using index by_text;`);
    const { database, feed } = started;
    const { received } = await subscribe(feed, ANON, { table: "open_notes" });
    await run(database, "insert into open_notes values (1, 'a'); update open_notes set text = 'b'; delete from open_notes");
    await until(() => expect(received.length).toBe(3));
    expect(received.map(({ old_record }) => old_record)).toEqual([undefined, { text: "a" }, { text: "b" }]);
  });

  test("sends no values of a table to a role that may not read its key", async () => {
    await using started = await start("revoke select (id) on notes from authenticated");
    const { database, feed } = started;
    const { received } = await subscribe(feed, user("ann"), { table: "notes" });
    await run(database, "insert into notes values (1, 'ann'); update notes set text = 'b'; delete from notes");
    await until(() => expect(received.length).toBe(3));
    const refused = { table: "notes", columns: [], errors: ["Error 401: Unauthorized"] };
    expect(received).toMatchObject([refused, refused, { type: "DELETE", old_record: {}, errors: null }]);
    for (const change of received) expect(change).not.toHaveProperty("record");
  });

  test("sends only the key of an old row that the policies hid", async () => {
    await using started = await start("alter table notes replica identity full");
    const { database, feed } = started;
    const { received } = await subscribe(feed, user("ann"), { table: "notes" });
    await run(database, "insert into notes values (1, 'ben', 'of ben')");
    await run(database, "update notes set owner = 'ann', text = 'of ann'");
    await run(database, "update notes set text = 'later'");
    await until(() => expect(received.length).toBe(2));
    expect(received.map(({ record, old_record }) => [record?.["text"], old_record])).toEqual([
      ["of ann", { id: 1 }],
      ["later", expect.objectContaining({ owner: "ann", text: "of ann" })],
    ]);
  });

  test("does not evaluate the filters of a subscriber on rows that the policies hide", async () => {
    await using started = await start(`
      drop type if exists touchy cascade;
      create type touchy as (text text);
      create function refuse_secret(touchy, touchy) returns boolean language plpgsql as $$
        begin if $1.text = 'secret' then raise 'secret'; end if; return $1.text = $2.text; end $$;
      create operator = (leftarg = touchy, rightarg = touchy, function = refuse_secret);
      alter table notes add column touchy touchy;
      grant select (touchy) on notes to authenticated;`);
    const { database, feed } = started;
    const { received } = await subscribe(feed, user("ann"), { table: "notes", filter: "touchy=eq.(x)" });
    await run(database, "insert into notes (id, owner, touchy) values (1, 'ben', row('secret'))");
    await run(database, "insert into notes (id, owner, touchy) values (2, 'ann', row('x'))");
    await until(() => expect(received.length).toBe(1));
    expect(received[0]).toMatchObject({ record: { id: 2 }, errors: null });
  });

  test("serves signed-in subscribers before anonymous ones", async () => {
    await using started = await start();
    const { database, feed } = started;
    const order: string[] = [];
    for (const caller of [ANON, user("ann")])
      await feed.subscribe(caller, [{ event: "*", schema: "public", table: "open_notes" }], (changes) =>
        order.push(...changes.map(() => caller.role)),
      );
    await run(database, "insert into open_notes values (1, 'a'), (2, 'b')");
    await until(() => expect(order.length).toBe(4));
    expect(order).toEqual(["authenticated", "authenticated", "anon", "anon"]);
  });
});
