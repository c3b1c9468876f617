/** A kind of letter to learners and enquirers, with its default text. The table `letter_kinds` has the same ids and fields. */
export interface LetterKind {
  label: string;
  /** The time at which it is sent, in words. */
  when: string;
  /** The names that its text may have in braces. */
  fields: readonly string[];
  subject: string;
  body: string;
  /** The text message to people without an e-mail address; null if there is none. */
  textMessage: string | null;
}

const PROVIDER = ["provider", "phone", "email", "opening hours"];
const DATE = ["name", "course", "date", "time", "venue", "places", ...PROVIDER];
const BOOKING = [...DATE, "price due", "bring", "prerequisites"];

const CONTACT = `Questions or a change? Answer this mail or call {phone} ({opening hours}).

{provider}`;
const WHEN_AND_WHERE = `Date: {date}
Time: {time}
Place: {venue}
Places: {places}`;

/** The kinds of letters, in the order of the portal. */
export const letterKinds = {
  confirmation: {
    label: "Booking confirmation",
    when: "After a booking gets an e-mail address",
    fields: BOOKING,
    subject: "Your booking: {course}, {date}",
    body: `Dear {name},

Your booking for {course} is confirmed.

${WHEN_AND_WHERE}
To pay: {price due}

Please bring:

{bring}

What you need first:

{prerequisites}

If you can’t make it, tell us as early as you can, so that we can move you to another date.

${CONTACT}`,
    textMessage:
      "{provider}: your booking for {course} is confirmed. {date}, {time}. Places: {places}. To pay: {price due}. {venue}. Questions? Call {phone}.",
  },
  reminder_week: {
    label: "Reminder, 7 days before",
    when: "At 10:00, seven days before the first day",
    fields: BOOKING,
    subject: "Next week: {course}, {date}",
    body: `Dear {name},

Your course {course} starts in a week.

${WHEN_AND_WHERE}
To pay: {price due}

Please bring:

{bring}

${CONTACT}`,
    textMessage:
      "{provider}: your course {course} starts in a week. {date}, {time}. {venue}. To pay: {price due}. Questions? Call {phone}.",
  },
  reminder_day: {
    label: "Reminder, 1 day before",
    when: "At 10:00 on the day before the first day",
    fields: BOOKING,
    subject: "Your course starts soon: {course}, {date}",
    body: `Dear {name},

We look forward to seeing you.

${WHEN_AND_WHERE}

Please bring:

{bring}

If you are ill or late, call {phone}.

{provider}`,
    textMessage: "{provider}: your course {course} starts soon. {date}, {time}. {venue}. If you are ill or late, call {phone}.",
  },
  moved: {
    label: "Date moved",
    when: "After a date, or a booking, is moved to another day or time",
    fields: [...BOOKING, "old date"],
    subject: "New date: {course}, {date}",
    body: `Dear {name},

The date of your course {course} has changed. It was {old date}. Your booking is now for:

${WHEN_AND_WHERE}
To pay: {price due}

If the new date does not suit you, tell us, and we find another one or give your money back.

${CONTACT}`,
    textMessage:
      "{provider}: the date of {course} has changed. It was {old date}, and is now {date}, {time}. If it does not suit you, call {phone}.",
  },
  cancelled: {
    label: "Booking cancelled",
    when: "After a booking is cancelled",
    fields: BOOKING,
    subject: "Your booking is cancelled: {course}, {date}",
    body: `Dear {name},

Your booking for {course}, {date}, is cancelled.

If you did not expect this, or want another date, please tell us.

${CONTACT}`,
    textMessage: "{provider}: your booking for {course}, {date}, is cancelled. If you did not expect this, call {phone}.",
  },
  called_off: {
    label: "Date called off",
    when: "After a date is cancelled, to everybody who is booked",
    fields: BOOKING,
    subject: "Called off: {course}, {date}",
    body: `Dear {name},

We are sorry: {course}, {date}, does not take place.

We call you about another date. If you prefer your money back, tell us, and you get all of it.

${CONTACT}`,
    textMessage:
      "{provider}: we are sorry, {course}, {date}, does not take place. We call you about another date or your money back. {phone}",
  },
  place_free: {
    label: "Waiting list: place free",
    when: "After a place becomes free, to the first on the waiting list",
    fields: DATE,
    subject: "A place is free: {course}, {date}",
    body: `Dear {name},

A place has become free on the date you are waiting for: {course}.

${WHEN_AND_WHERE}

Do you want it? Answer this mail or call {phone} ({opening hours}). We do not hold it for you yet: if we do not hear from you soon, we offer it to the next person on the list.

{provider}`,
    textMessage: "{provider}: a place is free on {course}, {date}, {time}. Do you want it? Call {phone}. We do not hold it for you yet.",
  },
  acknowledgement: {
    label: "Enquiry received",
    when: "At once, if an enquiry from the website has an e-mail address",
    fields: [...PROVIDER, "course", "reference"],
    subject: "We have your enquiry",
    body: `Hello,

Thank you for your enquiry. We answer within one working day ({opening hours}).

Your reference: {reference}

If it is urgent, call {phone}. If you did not write to us, somebody entered your address by mistake. Please ignore this mail.

{provider}`,
    // Anybody can enter the number of somebody else.
    textMessage: null,
  },
} satisfies Record<string, LetterKind>;

export type LetterKindId = keyof typeof letterKinds;

/** True for the id of a kind of letter. */
export function isLetterKind(id: string): id is LetterKindId {
  return Object.hasOwn(letterKinds, id);
}
