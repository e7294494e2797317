import { Failure } from './failure.ts';

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration as a flag has it, `90s`, `15m` or `2h`, in milliseconds. Throws a Failure for anything else. */
export function millisecondsOf(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw new Failure('usage', `"${text}" is no duration. One looks like 90s, 15m or 2h.`);
}
