/** The lengths of an enquiry's texts, for forms and functions; the constraints of the table `enquiries` are the same. */
export const LONGEST_NAME = 120;
export const SHORTEST_REPLY_TO = 5;
export const LONGEST_REPLY_TO = 254;
export const LONGEST_MESSAGE = 4000;
