import fc from "fast-check";
import { expect, test } from "vitest";
import { differingWords } from "./differing-words.ts";

test.each([
  ["Bring a coat.", "Bring a warm coat.", "nothing", "“warm”"],
  ["Bring a coat.", "Bring a boat.", "“coat.”", "“boat.”"],
  ["", "Wrap up.", "nothing", "“Wrap up.”"],
  ["One.\n\nTwo.", "One.\n\nTwo.\n\nThree.", "nothing", "“Three.”"],
])("names the differing words of %j and %j", (one, other, ofOne, ofOther) => {
  expect([differingWords(one, other), differingWords(other, one)]).toEqual([ofOne, ofOther]);
});

test("has at most 62 characters, and names words in at least one of two texts that differ by more than spaces", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.string({ maxLength: 300 }), (one, other) => {
      expect(differingWords(one, other).length).toBeLessThanOrEqual(62);
      const squeezed = (text: string): string => text.replaceAll(/\s+/g, "");
      if (squeezed(one) !== squeezed(other))
        expect([differingWords(one, other), differingWords(other, one)]).not.toEqual(["nothing", "nothing"]);
    }),
  );
});
