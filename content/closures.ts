/** Days of every year on which the office is closed, also on weekdays: the first and the last as month and day. */
export const closures = [{ name: "Office closed", from: "12-24", to: "12-31" }];
