import fc from "fast-check";
import { expect, test } from "vitest";
import type { CountedView } from "./recorder.ts";
import { summarise, type Summary } from "./summary.ts";

const viewArbitrary = fc
  .tuple(
    fc.record({ session_id: fc.uuid(), device: fc.constantFrom("phone", "computer") }),
    fc.constantFrom(
      { page_path: "/" },
      { page_path: "/cctv" },
      ...["snow", "rain"].map((slug) => ({ page_path: `/blog/${slug}`, post_slug: slug })),
    ),
    fc.constantFrom({}, { referrer: "search.example" }, { referrer: "news.example" }),
    fc.constantFrom({}, { address: "192.0.2.1", address_views: 10 }, { address: "192.0.2.2", address_views: 1 }),
  )
  .map((parts): CountedView => Object.assign({}, ...parts));

test("whichever questions are answered with yes, their views and no others are counted, each once", () => {
  fc.assert(
    fc.property(fc.array(viewArbitrary), fc.func(fc.boolean()), (views, answer) => {
      const { asked, places, ...sure } = summarise(views, 0);
      const outcomes = asked.map((_question, place) => answer(place));
      const recorded = views.filter((_view, index) => {
        const place = places[index];
        return place === undefined || outcomes[place];
      });
      const summaries: Summary[] = [sure, ...asked.filter((_question, place) => outcomes[place])];
      expect(totals(summaries)).toEqual(totalsOf(recorded));
      expect(summaries.flatMap(({ sessions }) => sessions).toSorted()).toEqual(recorded.map((view) => view.session_id).toSorted());
    }),
  );
});

test("views are asked about where they are of a post or report an address, and those of one post and address together", () => {
  fc.assert(
    fc.property(fc.array(viewArbitrary), (views) => {
      const { asked, places } = summarise(views, 0);
      expect(places).toHaveLength(views.length);
      for (const [index, { post_slug, address }] of views.entries()) {
        const place = places[index];
        const question = place === undefined ? { post_slug: undefined, address: undefined } : asked[place];
        expect(question).toMatchObject({ post_slug, address });
      }
      expect(asked.map((question) => question.address_views)).toEqual(
        asked.map((_question, place) =>
          views.reduce((sum, view, index) => sum + (places[index] === place ? (view.address_views ?? 0) : 0), 0),
        ),
      );
    }),
  );
});

test("objections are a number beside the views", () => {
  expect(summarise([], 3)).toEqual({ sums: [{ kind: "objection", name: "", count: 3 }], sessions: [], asked: [], places: [] });
});

function totals(summaries: readonly Summary[]): Record<string, number> {
  const sums = summaries.flatMap((summary) => summary.sums);
  return Object.fromEntries(
    Object.entries(Object.groupBy(sums, ({ kind, name }) => `${kind} ${name}`)).map(([key, of = []]) => [
      key,
      of.reduce((total, { count }) => total + count, 0),
    ]),
  );
}

function totalsOf(views: readonly CountedView[]): Record<string, number> {
  const keys = views.flatMap(({ page_path, device, referrer }) => [
    "all ",
    `page ${page_path}`,
    `device ${device}`,
    ...(referrer === undefined ? [] : [`referrer ${referrer}`]),
  ]);
  return Object.fromEntries(Object.entries(Object.groupBy(keys, (key) => key)).map(([key, of = []]) => [key, of.length]));
}
