/** The lengths of an enquiry's texts, for forms and functions; the constraints of the table `enquiries` are the same. */
export const LONGEST_NAME = 120;
export const SHORTEST_REPLY_TO = 5;
export const LONGEST_REPLY_TO = 254;
export const LONGEST_MESSAGE = 4000;

/** The limits of a request for places; its message becomes the note of a booking. */
export const LONGEST_PHONE = 40;
export const LONGEST_REQUEST_MESSAGE = 2000;
/** The most places of one request; visitors who want more have to call. */
export const MOST_PLACES = 50;
