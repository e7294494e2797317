/** Enough for all of an operator's collectors to get fresh values. */
const RENDERED_A_SECOND = 5;

/**
 * Each rendering blocks the event loop for milliseconds, and any caller can request it under any load. Concurrent
 * scrapes share one; at most a few are rendered per second, and further requests get the latest.
 */
export function keepRendered(render: () => Promise<Buffer>, now: () => number = Date.now): () => Promise<Buffer> {
  let rendering: Promise<Buffer> | undefined;
  let last: Promise<Buffer> | undefined;
  let second = Number.NaN;
  let made = 0;
  return () => {
    if (rendering !== undefined) return rendering;
    const current = Math.floor(now() / 1_000);
    if (current !== second) [second, made] = [current, 0];
    if (last !== undefined && made >= RENDERED_A_SECOND) return last;
    made += 1;
    rendering = render().finally(() => {
      rendering = undefined;
    });
    last = rendering;
    last.catch(() => {
      last = undefined;
    });
    return rendering;
  };
}
