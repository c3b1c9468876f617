import { expect, test } from "vitest";
import { anyDraft, draftForms, forgetDraft, keepDraft, readDraft, type DraftKey } from "./unsaved-form.ts";

const mine: DraftKey = { userId: "u1", area: "course-date", form: "new" };
const theirs: DraftKey = { userId: "u2", area: "course-date", form: "new" };

test("a draft comes back as it was typed, until it is forgotten", () => {
  const store = memoryStorage();
  keepDraft(store, mine, { capacity: "8", description: "Bring “a coat”.\n" });
  expect(readDraft(store, mine)).toEqual({ capacity: "8", description: "Bring “a coat”.\n" });
  forgetDraft(store, mine);
  expect(readDraft(store, mine)).toBeNull();
});

test("nobody finds another person's draft, but the login knows there is one", () => {
  const store = memoryStorage();
  expect(anyDraft(store)).toBe(false);
  keepDraft(store, mine, { capacity: "8" });
  expect(readDraft(store, theirs)).toBeNull();
  expect(anyDraft(store)).toBe(true);
});

test("an area knows its own unfinished forms, and nobody else's", () => {
  const store = memoryStorage();
  keepDraft(store, mine, { capacity: "8" });
  keepDraft(store, { ...mine, form: "edit" }, { id: "d1" });
  keepDraft(store, { ...mine, area: "course-date-like" }, { capacity: "8" });
  keepDraft(store, theirs, { capacity: "8" });
  expect(draftForms(store, "u1", "course-date")).toEqual(["new", "edit"]);
});

test("a full store keeps what it had and disturbs nobody", () => {
  const store = memoryStorage();
  keepDraft(store, mine, { capacity: "8" });
  store.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  keepDraft(store, mine, { capacity: "9" });
  expect(readDraft(store, mine)).toEqual({ capacity: "8" });
});

/** The part of a browser's storage that drafts use; its entries are own properties, as a browser's are. */
function memoryStorage(): Storage {
  const methods: Storage = {
    length: 0,
    clear: () => undefined,
    key: () => null,
    getItem: (name) => (Object.hasOwn(store, name) ? String(store[name]) : null),
    setItem: (name, value) => {
      store[name] = value;
    },
    removeItem: (name) => {
      delete store[name];
    },
  };
  const store: Storage = Object.create(methods);
  return store;
}
