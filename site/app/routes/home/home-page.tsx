import { useEffect } from "react";
import type { ServerContent } from "../../document/server-content.ts";
import { updateCountdowns } from "../../ui/countdown/countdown.tsx";
import { Catalogue } from "./catalogue/catalogue.tsx";
import { EnquirySection } from "./sections/enquiry-section.tsx";
import { Hero } from "./hero/hero.tsx";
import type { HomeData } from "./home-data.ts";
import { TeamSection } from "./sections/team-section.tsx";
import { Testimonials } from "./sections/testimonials.tsx";

/** The parts of the home page that only the server renders. */
type HomeParts = Record<"dates" | "reviews" | "about" | "team" | "accreditations" | "enquiryForm", ServerContent>;

/** The home page, rendered on the server and hydrated in the browser from the same data. */
export function HomePage({ data, parts }: { data: HomeData; parts: HomeParts }) {
  const { light, now, nextStarts, category, slides } = data;

  // In an effect, because hydration expects the text of the server.
  useEffect(() => {
    document.documentElement.dataset["hydrated"] = "";
    updateCountdowns();
    const timer = setInterval(updateCountdowns, 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <main id="main">
      <Hero light={light} />
      <div {...parts.dates} />
      <Catalogue nextStarts={nextStarts} initial={category} now={now} />
      <Testimonials count={slides.reviews} cards={parts.reviews} />
      <div {...parts.about} />
      <TeamSection count={slides.team} people={parts.team} />
      <div {...parts.accreditations} />
      <EnquirySection form={parts.enquiryForm} />
    </main>
  );
}
