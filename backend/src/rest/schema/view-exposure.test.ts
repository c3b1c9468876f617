import { expect, test } from "vitest";
import { viewOrigins } from "./view-exposure.ts";

test("only visible columns of the outer query have a source; computed and hidden columns have none", () => {
  const entry = (number: number, name: string, expression: string, relation: number, column: number, hidden = false): string =>
    `{TARGETENTRY :expr ${expression} :resno ${number} :resname ${name} :ressortgroupref 0 :resorigtbl ${relation} :resorigcol ${column} :resjunk ${hidden}}`;
  const inner = `{SUBLINK :subselect {QUERY :targetList (${entry(1, "x", "{CONST :constvalue 4 [ 1 0 0 0 ]}", 99, 9)}) :rtable <>}}`;
  const stored = `({QUERY :cteList <> :rtable ({RTE :colnames ("a\\)" "b\\{")}) :targetList (${[
    entry(1, "id", "{VAR :varno 1}", 16_386, 1),
    entry(2, "odd\\}name", "{VAR :varno 1}", 16_386, 3),
    entry(3, "computed", inner, 0, 0),
    entry(4, "sorted", "{VAR :varno 1}", 16_386, 2, true),
  ].join(" ")}) :havingQual ${inner}})`;
  expect(viewOrigins(stored)).toEqual(
    new Map([
      [1, { relation: 16_386, column: 1 }],
      [2, { relation: 16_386, column: 3 }],
    ]),
  );
});
