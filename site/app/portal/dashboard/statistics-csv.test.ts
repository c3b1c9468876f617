import { expect, test } from "vitest";
import { statsFixture } from "./stats.fixture.ts";
import { statisticsCsv } from "./statistics-csv.ts";

test("writes one line per figure, with quoted texts that cannot run as formulas", () => {
  const [page] = statsFixture.mostViewedPages;
  const mostViewedPages = [...statsFixture.mostViewedPages, ...(page ? [{ ...page, title: "=1+1" }] : [])];
  expect(statisticsCsv({ ...statsFixture, mostViewedPages }).split("\r\n")).toEqual([
    '\uFEFF"section","name","path","views","visitors","enquiries","bookings"',
    '"period","2026-11-20 to 2026-11-21",,5,2,,',
    '"period before",,,4,1,,',
    '"day","2026-11-20",,1,1,,',
    '"day","2026-11-21",,4,2,,',
    '"page","CCTV Operator","/cctv",3,,,',
    '"page","""Quotes"", commas","/blog/quotes",2,,,',
    `"page","'=1+1","/cctv",3,,,`,
    '"course","CCTV Operator","/cctv",3,,1,0',
    '"course","First Aid","/first-aid",0,,0,0',
    '"referrer","search.example",,2,,,',
    '"device","phone",,5,,,',
    '"not counted: opt-outs",,,1,,,',
    "",
  ]);
});
