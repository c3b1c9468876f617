import { LONGEST_NAME, LONGEST_REPLY_TO, LONGEST_REQUEST_MESSAGE, MOST_PLACES } from "content/enquiry-limits.ts";
import { provider } from "content/provider.ts";
import { z } from "zod";
import { EMAIL, PHONE, tooLong, typedContact, typedText } from "../schema.ts";

const PLACES_ERROR = `Please enter a number from 1 to ${MOST_PLACES}. For more, call us on ${provider.phone}.`;

/** A request for places as a visitor sends it; empty texts are left out. */
export const askSchema = z
  .object({
    name: z.string().trim().min(1, "Please tell us your name.").max(LONGEST_NAME, tooLong(LONGEST_NAME)),
    email: z
      .string()
      .trim()
      .max(LONGEST_REPLY_TO, { error: tooLong(LONGEST_REPLY_TO), abort: true })
      .refine((value) => value === "" || EMAIL.test(value), "This is not a whole e-mail address, such as ada@mail.example."),
    phone: z
      .string()
      .trim()
      .refine((value) => value === "" || PHONE.test(value), "This is not a phone number, such as 07700 900123."),
    places: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, { error: PLACES_ERROR, abort: true })
      .transform(Number)
      .refine((places) => places >= 1 && places <= MOST_PLACES, PLACES_ERROR),
    message: z.string().trim().max(LONGEST_REQUEST_MESSAGE, tooLong(LONGEST_REQUEST_MESSAGE)),
  })
  .refine(({ email, phone }) => email !== "" || phone !== "", {
    path: ["email"],
    error: "Please give an e-mail address or a phone number, so that we can answer.",
  });

type AskField = keyof z.infer<typeof askSchema>;

/** The fields in the order of the form. */
export const ASK_FIELDS: readonly AskField[] = ["name", "email", "phone", "places", "message"];

/** The visitor's input and the errors by field. */
export interface AskInput {
  values: Record<AskField, string>;
  errors: Partial<Record<AskField, string>>;
}

/** The first error of each field. */
export function askErrors(error: z.ZodError<z.infer<typeof askSchema>>): AskInput["errors"] {
  const { fieldErrors } = z.flattenError(error);
  return Object.fromEntries(ASK_FIELDS.flatMap((field) => (fieldErrors[field]?.[0] === undefined ? [] : [[field, fieldErrors[field][0]]])));
}

/** Reads the fields of a submitted form without validation. */
export function askValues(form: FormData): AskInput["values"] {
  const text = (field: AskField): string => typedText(form, field);
  const contact = (field: AskField): string => typedContact(form, field);
  return { name: text("name"), email: contact("email"), phone: contact("phone"), places: text("places"), message: text("message") };
}
