import type { CategoryColour, CategoryId, Course } from "content/types.ts";
import type { CourseDate } from "../../course-dates/course-date.ts";
import type { RoutePlan } from "../../course-dates/route-plan.ts";
import { pounds } from "../../course-dates/money.ts";
import { photoOf } from "../../pictures/photos.ts";
import { noBreak } from "../../ui/no-break.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Picture } from "../../ui/picture.tsx";
import { BeforeYouBook } from "./before-you-book.tsx";
import { CourseContext } from "./course-context.tsx";
import { CourseDates, type ShownDates } from "./course-dates.tsx";
import { CourseGlance } from "./course-glance.tsx";
import { NextStep } from "./next-step.tsx";
import styles from "./course-page.module.css";

interface CoursePageProps {
  course: Course;
  category: { id: CategoryId; label: string; colour: CategoryColour };
  shown: ShownDates;
  next: CourseDate | undefined;
  plan: RoutePlan | null;
}

/** The page of a course: facts at a glance, upcoming dates, prerequisites, syllabus and what to bring. */
export function CoursePage({ course, category, shown, next, plan }: CoursePageProps) {
  const price = pounds(course.price);
  return (
    <main id="main" data-colour={category.colour}>
      <div className={`wrap ${styles.head}`}>
        <PageHead
          title={course.title}
          lead={course.description}
          up={{ href: `/?category=${category.id}#courses`, label: category.label }}
          picture={
            <Picture
              photo={photoOf("courses", course.id)}
              src={course.image}
              alt=""
              width="240"
              height="240"
              sizes="240px"
              className={styles.emblem}
            />
          }
        />
      </div>
      <div className={`wrap ${styles.body}`}>
        <CourseGlance course={course} price={price} next={next} />
        <BeforeYouBook course={course} plan={plan} />
        <CourseDates course={course} shown={shown} />
        <div className={styles.text}>
          <section aria-labelledby="overview">
            <h2 id="overview">About the course</h2>
            {course.overview.map((paragraph) => (
              <p key={paragraph}>{noBreak(paragraph)}</p>
            ))}
          </section>
          <Facts id="prerequisites" title="What you need first" items={course.prerequisites} />
          <section aria-labelledby="syllabus">
            <h2 id="syllabus">What you will learn</h2>
            <ol className={styles.syllabus}>
              {course.syllabus.map(({ title, topics }, index) => (
                <li key={title}>
                  <details open={index === 0}>
                    <summary>
                      <h3>{title}</h3>
                    </summary>
                    <ul>
                      {topics.map((topic) => (
                        <li key={topic}>{topic}</li>
                      ))}
                    </ul>
                  </details>
                </li>
              ))}
            </ol>
          </section>
          <Facts id="features" title="What you get" items={course.features} />
          <Facts id="bring" title="What to bring" items={course.bring} />
          <CourseContext course={course} />
          <NextStep course={course} price={price} next={next} />
        </div>
      </div>
    </main>
  );
}

function Facts({ id, title, items }: { id: string; title: string; items: readonly string[] }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className={styles.facts}>
        {items.map((item) => (
          <li key={item}>{noBreak(item)}</li>
        ))}
      </ul>
    </section>
  );
}
