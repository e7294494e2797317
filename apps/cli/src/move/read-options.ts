import { Failure } from '../frame/failure.ts';

/** A whole number from 1, as a flag has it; undefined if it was not given. Throws a Failure for anything else. */
export function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Failure('usage', `${flag} takes a whole number from 1, not "${text}".`);
}
