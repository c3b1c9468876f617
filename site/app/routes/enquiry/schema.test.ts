import { LONGEST_MESSAGE, LONGEST_REPLY_TO, LONGEST_REQUEST_MESSAGE } from "content/enquiry-limits.ts";
import { expect, test } from "vitest";
import { askSchema, askValues } from "./ask/ask-schema.ts";
import { enquirySchema, fieldErrors, tooLong, typedValues } from "./schema.ts";

const good = { name: "Ada", reply_to: "ada@mail.example", course: "cctv", message: "When is the next one?" };

test.each([good, { ...good, reply_to: "07700 900142" }, { ...good, reply_to: "+44 (0)1632 960142" }, { ...good, course: "" }])(
  "an enquiry with a name, an address or phone number and a message is accepted: %o",
  (enquiry) => {
    expect(enquirySchema.safeParse(enquiry).success).toBe(true);
  },
);

test.each([
  ["name", { ...good, name: "  " }, "Please tell us your name."],
  ["reply_to", { ...good, reply_to: "" }, "Please give an e-mail address or a phone number, so that we can answer."],
  ["reply_to", { ...good, reply_to: "ada at mail" }, "This is neither an e-mail address nor a phone number."],
  ["course", { ...good, course: "yoga" }, "Please choose a course from the list."],
  ["message", { ...good, message: "" }, "Please write your question."],
])("an invalid %s is reported at its field", (field, enquiry, complaint) => {
  const { error } = enquirySchema.safeParse(enquiry);
  expect(error && fieldErrors(error)).toEqual({ [field]: complaint });
});

test.each([
  ["the enquiry form", enquirySchema, "reply_to"],
  ["the form to ask for places", askSchema, "email"],
])("an address over its limit is not compared with the pattern in %s", (_form, schema, field) => {
  const { error } = schema.safeParse({ ...good, phone: "07700 900142", places: "1", [field]: "a".repeat(LONGEST_REPLY_TO + 1) });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[[field], tooLong(LONGEST_REPLY_TO)]]);
});

test.each([
  ["the enquiry form", (form: FormData) => enquirySchema.parse(typedValues(form)), LONGEST_MESSAGE],
  ["the form to ask for places", (form: FormData) => askSchema.parse(askValues(form)), LONGEST_REQUEST_MESSAGE],
])("a line break is one character in %s, as in the browser", (_form, parse, longest) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...good, email: "ada@mail.example", phone: "", places: "1" })) form.set(name, value);
  const text = `${"One line\n".repeat(longest).slice(0, longest - 1)}!`;
  // Browsers send a line break as two characters.
  form.set("message", text.replaceAll("\n", "\r\n"));
  expect(parse(form).message).toBe(text);
});

test.each([
  ["between invisible characters", "\u202a+44 7700 900142\u202c", "+44 7700 900142"],
  ["with dashes of a web page", " 01632\u2011960\u2013142", "01632\u2011960\u2013142"],
])("a phone number that is pasted %s is accepted", (_what, pasted, stored) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...good, reply_to: pasted, phone: pasted, places: "1" })) form.set(name, value);
  expect(enquirySchema.parse(typedValues(form)).reply_to).toBe(stored);
  expect(askSchema.parse(askValues(form)).phone).toBe(stored);
});

test("the input is returned unchanged, and a missing field is empty", () => {
  const form = new FormData();
  form.set("name", " Ada ");
  expect(typedValues(form)).toEqual({ name: " Ada ", reply_to: "", course: "", message: "" });
});
