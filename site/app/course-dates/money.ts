const pound = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP", maximumFractionDigits: 0 });

/** Formats a whole price in pounds: "£2,500". */
export function pounds(amount: number): string {
  return pound.format(amount);
}
