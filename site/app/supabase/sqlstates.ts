/** A row refers to one that does not exist. */
export const FOREIGN_KEY_VIOLATION = "23503";
/** A row that others refer to was deleted; since PostgreSQL 18 the code of a RESTRICT. */
export const RESTRICT_VIOLATION = "23001";
export const UNIQUE_VIOLATION = "23505";

// Codes that our own triggers and functions raise; PostgREST answers PTnnn with the HTTP status nnn.
/** The record does not exist any more. */
export const RECORD_GONE = "PT404";
/** Too few places are left, or a capacity is below the places booked; `details` is the number of places. */
export const NOT_ENOUGH_PLACES = "PT409";
export const DATE_CANCELLED = "PT410";
/** The record that is to be restored exists. */
export const ALREADY_RESTORED = "PT412";
/** The letter is sent or withdrawn, or a newer one waits. */
export const ALREADY_CHANGED = "PT412";
/** Somebody changed the enquiry that is to be booked. */
export const ENQUIRY_CHANGED = "PT412";
export const ENQUIRY_BOOKED = "PT422";
