import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { activityInWords, checkInvitation, invitedRoles, LINK_LASTS, LINK_SECONDS, linkEnd, whoIs } from "./schema.ts";

function check(values: Record<string, string>): ReturnType<typeof checkInvitation> {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return checkInvitation(form);
}

test("an invitation takes an address, and a name if one was entered", () => {
  expect(check({ email: " Ada@Larkfell.example ", name: " Ada Fell " })).toEqual({
    ok: true,
    value: { email: "ada@larkfell.example", name: "Ada Fell", role: "office", by_hand: false },
  });
  expect(check({ email: "ada@larkfell.example", role: "trainer", by_hand: "on" })).toMatchObject({
    value: { name: "", role: "trainer", by_hand: true },
  });
});

test.each([
  ["no address", { email: " " }, "email"],
  ["something else than an address", { email: "ada" }, "email"],
  ["a name that is too long", { email: "ada@larkfell.example", name: "a".repeat(121) }, "name"],
])("%s is refused at its field", (_what, values, field) => {
  expect(check(values)).toMatchObject({ ok: false, field });
});

test("a person is named by name and address, or by the address alone", () => {
  expect(whoIs({ name: "Ada Fell", email: "ada@larkfell.example" })).toBe("Ada Fell, ada@larkfell.example");
  expect(whoIs({ name: "", email: "ada@larkfell.example" })).toBe("ada@larkfell.example");
});

test("account activity is described in words, and an unknown entry by its name", () => {
  const act = {
    id: "1",
    actor_email: "jo@larkfell.example",
    member_email: "ada@larkfell.example",
    member_role: null,
    begun_at: "2026-11-21T12:00:00Z",
    done_at: "2026-11-21T12:00:01Z",
  };
  expect(activityInWords({ ...act, act: "disable" }, [])).toBe("jo@larkfell.example disabled ada@larkfell.example");
  const staff = [
    { email: "jo@larkfell.example", name: "Jo Airey" },
    { email: "ada@larkfell.example", name: "" },
  ];
  expect(activityInWords({ ...act, act: "promote" }, staff)).toBe("Jo Airey did “promote” to ada@larkfell.example");
  expect(activityInWords({ ...act, act: "invite", done_at: null }, [])).toBe(
    "jo@larkfell.example invited ada@larkfell.example (not confirmed)",
  );
  expect(activityInWords({ ...act, act: "invite", member_role: "trainer" }, staff)).toBe(
    "Jo Airey invited ada@larkfell.example as a trainer",
  );
  expect([invitedRoles("office"), invitedRoles("owner")].map((roles) => Object.keys(roles))).toEqual([
    ["office", "trainer"],
    ["office", "trainer", "owner"],
  ]);
});

test("the stated validity of a link agrees with config.toml", () => {
  const config = readFileSync(new URL("../../../../supabase/config.toml", import.meta.url), "utf8");
  expect(LINK_LASTS).toBe("one day");
  expect(config).toContain(`otp_expiry = ${LINK_SECONDS}`);
});

test("an invitation can be used for a day after its latest link was made, and not without a link", () => {
  const at = (text: string): number => Date.parse(text);
  const link = { link_made_at: "2026-11-20T16:00:00+00:00" };
  expect(linkEnd(link, at("2026-11-21T15:59:59Z"))).toBe("2026-11-21T16:00:00.000Z");
  expect(linkEnd(link, at("2026-11-21T16:00:00Z"))).toBeNull();
  expect(linkEnd({ link_made_at: null })).toBeNull();
});
