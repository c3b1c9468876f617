import { expect, test } from "vitest";
import { waitingListMessage } from "./waiting.ts";

test.each([
  ["2030-07-01T08:00:00.000Z", "Please put me on the waiting list for Monday 1 July 2030, 09:00. I need 1 place."],
  ["next Monday", ""],
  [null, ""],
])("the form for the course date %s starts with %j", (start, question) => {
  expect(waitingListMessage(start)).toBe(question);
});
