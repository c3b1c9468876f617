/** The SQLSTATEs and PostgREST codes that functions handle. PTnnn becomes the HTTP status nnn. */
export const SQLSTATE = {
  insufficientPrivilege: "42501",
  /** The role of the caller does not allow it. */
  roleTooLow: "PT403",
  notFound: "PT404",
  conflict: "PT409",
  wrongState: "PT412",
  ownAccount: "PT421",
  singleSignOn: "PT422",
  secondPersonNeeded: "PT423",
  rateLimited: "PT429",
  jwtInvalid: "PGRST301",
  jwtExpired: "PGRST303",
} as const;
