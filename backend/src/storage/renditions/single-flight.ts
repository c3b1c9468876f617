interface Flight {
  done: Promise<void>;
  abort: AbortController;
  waiting: number;
}

/** Runs `work` for a key, or waits for the run in progress; `signal` ends this caller's interest. */
type SingleFlight = (key: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal) => Promise<void>;

/** Lets concurrent callers with the same key share one run of the work, which is aborted when every caller has left. */
export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>();

  function start(key: string, work: (signal: AbortSignal) => Promise<void>): Flight {
    const abort = new AbortController();
    const forget = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    const flight: Flight = { abort, waiting: 0, done: work(abort.signal).finally(forget) };
    // A new caller after all others aborted starts a fresh run.
    abort.signal.addEventListener("abort", forget);
    flights.set(key, flight);
    return flight;
  }

  return async function once(key, work, signal) {
    const flight = flights.get(key) ?? start(key, work);
    const leave = (): void => {
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.abort.abort();
    };
    flight.waiting += 1;
    signal.addEventListener("abort", leave, { once: true });
    try {
      await flight.done;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  };
}
