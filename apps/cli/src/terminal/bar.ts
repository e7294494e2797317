/** A bar of `width` characters, filled up to a share from 0 to 1. */
export function bar(share: number, width: number): string {
  const filled = Math.floor(Math.min(Math.max(share, 0), 1) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

/** `51.2 %`, rounded down: what is not all is never 100. Nothing of nothing is all. */
export function percent(part: number, whole: number): string {
  const share = whole === 0 ? 1 : Math.min(part / whole, 1);
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}
