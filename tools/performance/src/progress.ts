const startedAt = performance.now();

/** A progress line with the seconds since the start. Results go to standard output, progress does not. */
export function progress(text: string): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`);
}
