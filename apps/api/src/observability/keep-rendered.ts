/** As many collectors as an operator may have see each moment as it is. */
const RENDERED_A_SECOND = 5;

/**
 * Each rendering takes milliseconds of the event loop, and anybody may ask, however much there is to do. Scrapes at the
 * same time share one; in each second a few are made, and who asks more often gets the last of them.
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
