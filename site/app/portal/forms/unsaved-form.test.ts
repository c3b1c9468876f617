import { beforeEach, expect, test, vi } from "vitest";
import { clearUnsaved, hasUnsaved, readUnsaved, storeUnsaved, unsavedForms, type FormKey } from "./unsaved-form.ts";

const mine: FormKey = { userId: "u1", area: "course-date", form: "new" };
const theirs: FormKey = { userId: "u2", area: "course-date", form: "new" };

beforeEach(() => {
  vi.stubGlobal("sessionStorage", memoryStorage());
  return () => vi.unstubAllGlobals();
});

test("unsaved input comes back as it was typed, until it is cleared", () => {
  storeUnsaved(mine, { capacity: "8", description: "Bring “a coat”.\n" });
  expect(readUnsaved(mine)).toEqual({ capacity: "8", description: "Bring “a coat”.\n" });
  clearUnsaved(mine);
  expect(readUnsaved(mine)).toBeNull();
});

test("nobody reads another person's input, but the sign-in page knows that there is some", () => {
  expect(hasUnsaved()).toBe(false);
  storeUnsaved(mine, { capacity: "8" });
  expect(readUnsaved(theirs)).toBeNull();
  expect(hasUnsaved()).toBe(true);
});

test("an area lists its own unsaved forms of this person only", () => {
  storeUnsaved(mine, { capacity: "8" });
  storeUnsaved({ ...mine, form: "edit" }, { id: "d1" });
  storeUnsaved({ ...mine, area: "course-date-like" }, { capacity: "8" });
  storeUnsaved(theirs, { capacity: "8" });
  expect(unsavedForms("u1", "course-date")).toEqual(["new", "edit"]);
});

test("a full storage keeps the previous input and throws nothing", () => {
  storeUnsaved(mine, { capacity: "8" });
  sessionStorage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  storeUnsaved(mine, { capacity: "9" });
  expect(readUnsaved(mine)).toEqual({ capacity: "8" });
});

/** The parts of `Storage` that unsaved forms use; its entries are own properties, as in a browser. */
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
