/** A condition that lasts this long is not a burst or a pause. */
const STANDING_MS = 1_000;

/** Whether a condition has held, sample after sample, for a second. */
export function createStanding(): (isSo: boolean, at: number) => boolean {
  let since = Number.POSITIVE_INFINITY;
  return (isSo, at) => {
    since = isSo ? Math.min(since, at) : Number.POSITIVE_INFINITY;
    return at - since >= STANDING_MS;
  };
}
