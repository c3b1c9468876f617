import { Accreditations } from "./sections/accreditations.tsx";
import { AboutSection } from "./sections/about-section.tsx";
import { Catalogue } from "./catalogue/catalogue.tsx";
import { UpcomingDates } from "./dates/upcoming-dates.tsx";
import { EnquirySection } from "./sections/enquiry-section.tsx";
import { Hero } from "./hero/hero.tsx";
import type { HomeData } from "./home-data.ts";
import { TeamSection } from "./sections/team-section.tsx";
import { Testimonials } from "./sections/testimonials.tsx";

/** The home page, rendered on the server and hydrated in the browser from the same data. */
export function HomePage({ loaderData }: { loaderData: HomeData }) {
  const { light, now, upcoming, courses, comingSoon, about, category, enquiryFormUrl } = loaderData;
  return (
    <main id="main">
      <Hero light={light} />
      <UpcomingDates dates={upcoming} now={now} />
      <Catalogue courses={courses} comingSoon={comingSoon} initial={category} now={now} />
      <Testimonials />
      <AboutSection {...about} />
      <TeamSection />
      <Accreditations />
      <EnquirySection courses={courses} formUrl={enquiryFormUrl} />
    </main>
  );
}
