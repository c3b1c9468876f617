/** The states of a letter in words. */
export const LETTER_STATES: Readonly<Record<string, string>> = {
  failed: "Failed",
  waiting: "Waiting",
  sending: "Being sent",
  sent: "Sent",
  withdrawn: "Not sent",
};
