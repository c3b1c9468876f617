/** Operators of filters for random requests: every kind, some modified, and some that do not exist. */
export const OPERATORS: readonly string[] = (
  "eq neq gt gte lt lte like ilike match imatch in is isdistinct fts plfts(english) phfts(english) wfts(nope) cs cd ov sl sr nxr nxl adj " +
  "not.eq not.is not.in not.match eq(any) like(all) match(any) foo "
).split(" ");
