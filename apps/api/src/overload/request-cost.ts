/** What an instance did in a short while. */
export interface WorkSample {
  elapsedMs: number;
  /** Of it, what went into requests: there was no more of something than they could use. */
  spentMs: number;
  /** Requests whose answers went out. */
  finished: number;
}

/** The length that samples are meant to have; one that comes late weighs as much as those it stands for. */
export const SAMPLE_MS = 100;
/** What is left of a sample when the next one has come: what counts is the last half second or so. */
const KEPT = 0.8;
/** The share of a sample from which on it went into requests, and not into the service's own chores. */
const BUSY = 0.5;
/** A handful of requests tells little: those after a cold start, or one with a long body. */
const TELLING = 10;

/**
 * What one request costs lately, in milliseconds of what there is too little of. It ages: 0 when nothing is to be done.
 * What only waits, for a vendor or a lock, costs nothing, since nothing was spent on it.
 */
export function createRequestCost(): { readonly millisecondsEach: number; add(sample: WorkSample): void } {
  let spentMs = 0;
  let finished = 0;
  return {
    get millisecondsEach() {
      return spentMs / Math.max(finished, TELLING);
    },
    add(sample) {
      const kept = KEPT ** (sample.elapsedMs / SAMPLE_MS);
      const tells = sample.spentMs >= sample.elapsedMs * BUSY && sample.finished > 0;
      spentMs = spentMs * kept + (tells ? sample.spentMs : 0);
      finished = finished * kept + sample.finished;
    },
  };
}
