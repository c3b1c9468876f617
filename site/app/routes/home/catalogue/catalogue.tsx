import { categories } from "content/categories.ts";
import type { CategoryId } from "content/types.ts";
import { useEffect, useState } from "react";
import { Carousel, Slides } from "../../../ui/carousel/carousel.tsx";
import { CategorySwitcher } from "./category-switcher.tsx";
import { updateCountdowns } from "../../../ui/countdown/countdown.tsx";
import { ComingSoonCard, CourseCard } from "./course-card.tsx";
import { comingSoonCards, courseCards } from "./course-cards.constant.ts";
import type { HomeData } from "../home-data.ts";
import styles from "./catalogue.module.css";

const TIMING = { intervalMs: 5000, resumeMs: 1000 };
const PARAMETER = "category";

interface CatalogueProps {
  nextStarts: HomeData["nextStarts"];
  /** The category in the URL when the page was rendered. */
  initial: CategoryId;
  now: number;
}

/** The courses of one category; the choice is stored in the URL, so that reload and back restore it. */
export function Catalogue({ nextStarts, initial, now }: CatalogueProps) {
  const [category, setCategory] = useState(initial);

  useEffect(() => {
    const follow = (): void => setCategory(categoryInUrl() ?? "security");
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);

  // The cards of another category show the time at which the page was rendered.
  useEffect(updateCountdowns, [category]);

  function choose(id: CategoryId): void {
    if (id === category) return;
    setCategory(id);
    history.pushState(null, "", `/?${PARAMETER}=${id}#courses`);
  }

  const [nearest] = Object.entries(nextStarts).toSorted(([, a], [, b]) => Date.parse(a.instant) - Date.parse(b.instant))[0] ?? [];
  const slides =
    category === "coming-soon"
      ? comingSoonCards.map((item) => ({ key: item.title, content: <ComingSoonCard {...item} /> }))
      : courseCards
          .filter((course) => course.category === category)
          .map((course) => ({
            key: course.id,
            content: <CourseCard course={course} next={nextStarts[course.id]} nearest={course.id === nearest} now={now} />,
          }));

  return (
    <section id="courses" aria-labelledby="courses-heading" className={styles.section}>
      <div className="wrap">
        <h2 id="courses-heading">Choose your path</h2>
        <CategorySwitcher name={PARAMETER} chosen={category} onChoose={choose} />
        <Carousel
          key={category}
          label={categories.find(({ id }) => id === category)?.label ?? ""}
          timing={TIMING}
          count={slides.length}
          row={{ children: <Slides slides={slides} /> }}
        />
      </div>
    </section>
  );
}

function categoryInUrl(): CategoryId | undefined {
  const value = new URLSearchParams(location.search).get(PARAMETER);
  return categories.find(({ id }) => id === value)?.id;
}
