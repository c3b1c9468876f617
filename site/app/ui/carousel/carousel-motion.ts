import { prefersReducedMotion } from "../reduced-motion.ts";

/** The distance of one step, in pixels; the row then snaps to the nearest card. */
const STEP_PX = 350;
/** A swipe moves further than this in less than this time. */
const SWIPE_PX = 50;
const SWIPE_MS = 300;
const RESUME_AFTER_ARROW_MS = 3000;
/** A press that moves less than this is a click. */
const CLICK_PX = 5;
const SETTLE_MS = 600;

export interface CarouselTiming {
  /** The time between two advances, in milliseconds. */
  intervalMs: number;
  /** The pause after a drag or a touch, in milliseconds. */
  resumeMs: number;
}

export interface CarouselMotion {
  /** Moves by one step and pauses the automatic advance. */
  step(direction: 1 | -1): void;
  setPlaying(playing: boolean): void;
  stop(): void;
}

/**
 * Adds automatic advance, mouse drag and swipe to a row that the browser scrolls by keyboard, touch and wheel (decision 010).
 * It pauses while the pointer or the keyboard focus is in the row, and while the page is hidden.
 */
export function startCarousel(scroller: HTMLElement, { intervalMs, resumeMs }: CarouselTiming): CarouselMotion {
  const listening = new AbortController();
  const holds = new Set<string>();
  let playing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let resumesAt = 0;

  function schedule(): void {
    clearTimeout(timer);
    if (!playing || holds.size > 0) return;
    const pauseMs = Math.max(0, resumesAt - Date.now());
    timer = setTimeout(() => {
      if (!document.hidden) move(1);
      schedule();
    }, pauseMs + intervalMs);
  }

  /** Delays the next advance, even if the pointer leaves the row earlier. */
  function pause(ms: number): void {
    resumesAt = Date.now() + ms;
    schedule();
  }

  function hold(reason: string): void {
    holds.add(reason);
    schedule();
  }

  function release(reason: string): void {
    if (holds.delete(reason)) schedule();
  }

  function move(direction: 1 | -1): void {
    const end = scroller.scrollWidth - scroller.clientWidth;
    const step = Math.max(STEP_PX, scroller.firstElementChild?.clientWidth ?? 0);
    const atEdge = direction > 0 ? scroller.scrollLeft >= end - 1 : scroller.scrollLeft <= 1;
    scrollTo(atEdge ? (direction > 0 ? 0 : end) : scroller.scrollLeft + direction * step);
  }

  /** Scrolls to the card nearest to a position: some browsers do not snap after a drag, which turns snapping off. */
  function scrollTo(wanted: number): void {
    const end = scroller.scrollWidth - scroller.clientWidth;
    const offsets = [...scroller.children].map((slide) => (slide instanceof HTMLElement ? Math.min(slide.offsetLeft, end) : 0));
    const left = offsets.reduce((nearest, offset) => (Math.abs(offset - wanted) < Math.abs(nearest - wanted) ? offset : nearest), 0);
    scroller.scrollTo({ left, behavior: prefersReducedMotion() ? "instant" : "smooth" });
  }

  function on<Name extends keyof HTMLElementEventMap>(
    name: Name,
    handler: (event: HTMLElementEventMap[Name]) => void,
    capture = false,
  ): void {
    scroller.addEventListener(name, handler, { signal: listening.signal, passive: name.startsWith("touch"), capture });
  }

  on("pointerenter", (event) => event.pointerType === "mouse" && hold("hover"));
  on("pointerleave", () => release("hover"));
  on("focusin", (event) => event.target instanceof Element && event.target.matches(":focus-visible") && hold("focus"));
  on("focusout", () => release("focus"));

  let touched = { x: 0, at: 0 };
  function endTouch(): void {
    pause(resumeMs);
    release("touch");
  }
  on("touchstart", (event) => {
    touched = { x: event.touches[0]?.clientX ?? 0, at: event.timeStamp };
    hold("touch");
  });
  on("touchend", (event) => {
    const moved = (event.changedTouches[0]?.clientX ?? touched.x) - touched.x;
    if (isSwipe(moved, event.timeStamp - touched.at)) move(moved < 0 ? 1 : -1);
    endTouch();
  });
  on("touchcancel", endTouch);

  let drag: { x: number; at: number; left: number; moved: number } | undefined;
  on("dragstart", (event) => event.preventDefault());
  on("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    drag = { x: event.clientX, at: event.timeStamp, left: scroller.scrollLeft, moved: 0 };
  });
  // A drag moves the row and selects no text; a double press selects text as usual.
  on("mousedown", (event) => {
    if (event.detail > 1) drag = undefined;
  });
  on("selectstart", (event) => drag && event.preventDefault());
  on("pointermove", (event) => {
    if (!drag) return;
    // The button was released outside of the row.
    if (event.buttons === 0) return endDrag(event);
    drag.moved = event.clientX - drag.x;
    if (Math.abs(drag.moved) <= CLICK_PX) return;
    if (!scroller.hasPointerCapture(event.pointerId)) {
      scroller.setPointerCapture(event.pointerId);
      scroller.style.scrollSnapType = "none";
      hold("drag");
    }
    scroller.scrollLeft = drag.left - drag.moved;
  });
  const endDrag = (event: PointerEvent): void => {
    if (!drag) return;
    const { moved, at } = drag;
    drag = undefined;
    if (!holds.has("drag")) return;
    if (isSwipe(moved, event.timeStamp - at)) move(moved < 0 ? 1 : -1);
    else scrollTo(scroller.scrollLeft);
    setTimeout(() => scroller.style.removeProperty("scroll-snap-type"), SETTLE_MS);
    // Suppresses the click that follows a drag.
    scroller.addEventListener("click", preventDefault, { capture: true, once: true });
    setTimeout(() => scroller.removeEventListener("click", preventDefault, { capture: true }), 0);
    pause(resumeMs);
    release("drag");
  };
  on("pointerup", endDrag);
  on("pointercancel", endDrag);

  return {
    step(direction) {
      move(direction);
      pause(RESUME_AFTER_ARROW_MS);
    },
    setPlaying(value) {
      playing = value;
      schedule();
    },
    stop() {
      listening.abort();
      clearTimeout(timer);
    },
  };
}

function isSwipe(moved: number, ms: number): boolean {
  return Math.abs(moved) > SWIPE_PX && ms < SWIPE_MS;
}

function preventDefault(event: Event): void {
  event.preventDefault();
}
