const startedAt = performance.now();

/** A line for whoever watches the run, with the seconds since it began. Results go to standard output, this does not. */
export function progress(text: string): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stderr.write(`${String(seconds).padStart(5)} s  ${text}\n`);
}
