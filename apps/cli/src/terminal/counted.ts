import { grouped } from './grouped.ts';

/** A count with its noun: `1 row`, `1,204 rows`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : nouns}`;
}
