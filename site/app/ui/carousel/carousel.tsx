import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from "react";
import { startCarousel, type CarouselMotion, type CarouselTiming } from "./carousel-motion.ts";
import { useReducedMotion } from "../reduced-motion.ts";
import { Arrow } from "../sign.tsx";
import styles from "./carousel.module.css";

// A scrollable element must be focusable for keyboard scrolling.
const FOCUSABLE = { tabIndex: 0 };

interface CarouselProps {
  /** The accessible name. */
  label: string;
  timing: CarouselTiming;
  /** The number of slides in view: 1.2, 2 or 3 cards by width, or one person on a narrow screen. */
  show?: "cards" | "people";
  /** The number of slides. */
  count: number;
  /** The content of the row: `Slides`. */
  row: Pick<ComponentProps<"div">, "children" | "dangerouslySetInnerHTML" | "suppressHydrationWarning">;
}

/** A scrollable row of slides that a script advances automatically until the visitor pauses it. */
export function Carousel({ label, timing, show = "cards", count, row }: CarouselProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const motion = useRef<CarouselMotion>(null);
  const [choice, setChoice] = useState<boolean | null>(null);
  const reducedMotion = useReducedMotion();
  const playing = choice ?? !reducedMotion;
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const { intervalMs, resumeMs } = timing;

  useEffect(() => {
    if (!scroller.current) return undefined;
    const started = startCarousel(scroller.current, { intervalMs, resumeMs });
    motion.current = started;
    return () => started.stop();
  }, [intervalMs, resumeMs]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const readSeen = (): void => setSeen(slidesIn(element));
    // A new observer reports the current size, after the layout.
    const observer = new ResizeObserver(readSeen);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => motion.current?.setPlaying(playing), [playing]);

  return (
    <div role="group" aria-roledescription="carousel" aria-label={label} className={styles.carousel} data-slides={count}>
      <div
        ref={scroller}
        className={`${styles.row} ${styles[show]}`}
        {...FOCUSABLE}
        role="group"
        aria-label={`${label}, slides`}
        onScroll={(event) => setSeen(slidesIn(event.currentTarget))}
        {...row}
      />
      <div className={styles.controls}>
        <button type="button" className={styles.arrow} onClick={() => motion.current?.step(-1)}>
          <Arrow to="left" /> Previous
        </button>
        <button type="button" className={styles.arrow} onClick={() => motion.current?.step(1)}>
          Next <Arrow to="right" />
        </button>
        <button type="button" className={styles.arrow} onClick={() => setChoice(!playing)}>
          {playing ? "Pause" : "Play"}
        </button>
        <span className={`number ${styles.count}`}>
          {`${seen.first + 1}${seen.last > seen.first ? `–${seen.last + 1}` : ""} of ${count}`}
        </span>
      </div>
    </div>
  );
}

/** The slides of a carousel. */
export function Slides({ slides }: { slides: readonly { key: string; content: ReactNode }[] }) {
  return slides.map(({ key, content }, index) => (
    <div key={key} role="group" aria-roledescription="slide" aria-label={`${index + 1} of ${slides.length}`} className={styles.slide}>
      {content}
    </div>
  ));
}

/** The indexes of the first and the last slide of which more than half is in view. */
function slidesIn(row: HTMLElement): { first: number; last: number } {
  const { scrollLeft, clientWidth } = row;
  const middles = [...row.children].map((slide) => (slide instanceof HTMLElement ? slide.offsetLeft + slide.offsetWidth / 2 : 0));
  const inView = (middle: number): boolean => middle > scrollLeft && middle < scrollLeft + clientWidth;
  return { first: Math.max(0, middles.findIndex(inView)), last: Math.max(0, middles.findLastIndex(inView)) };
}
