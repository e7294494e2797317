/** What an instance did during one sample. */
export interface WorkSample {
  elapsedMs: number;
  /** The part spent on requests: a resource was fully used. */
  spentMs: number;
  /** Requests whose answers were sent. */
  finished: number;
}

/** The intended length of a sample; a late one weighs as much as the samples that it replaces. */
export const SAMPLE_MS = 100;
/** The decay of a sample when the next one arrives: about the last half second counts. */
const KEPT = 0.8;
/** The share of a sample from which it counts as spent on requests, not on the service's own housekeeping. */
const BUSY = 0.5;
/** A few requests are not representative: those after a cold start, or one with a long body. */
const TELLING = 10;

/**
 * The recent cost of one request, in milliseconds of the scarce resource. It decays to 0 when idle. Waiting for a
 * vendor or a lock costs nothing, because it uses no resource.
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
