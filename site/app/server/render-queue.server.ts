/** The most concurrent renders. */
const CONCURRENT = 4;
/** A render that takes longer waits for a slow database, and releases its slot to the next one. */
const LONGEST_MS = 100;

interface RenderQueue {
  /** The number of waiting and running renders. */
  readonly size: number;
  /** Runs a render when it is its turn. */
  run<T>(render: () => Promise<T>): Promise<T>;
}

/**
 * Creates a queue of renders. A slot is free again in the next turn of the event loop, so that each turn renders a few pages at most, and
 * other requests need not wait for all pages of a flood.
 */
export function createRenderQueue(): RenderQueue {
  const waiting: (() => void)[] = [];
  let free = CONCURRENT;
  let size = 0;

  function takeSlot(): () => void {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
  }

  return {
    get size() {
      return size;
    },
    async run(render) {
      size += 1;
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      const release = takeSlot();
      const timer = setTimeout(release, LONGEST_MS);
      try {
        return await render();
      } finally {
        size -= 1;
        clearTimeout(timer);
        setImmediate(release);
      }
    },
  };
}
