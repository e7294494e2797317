import { Failure } from '../frame/failure.ts';

/** A share says little about a few lines. */
const ENOUGH_LINES = 100;

/** Whether more lines were refused than `--max-refused` allows, as a number or as a share of the lines so far. */
export function refusalLimit(text: string | undefined): (tally: { lines: number; refused: number }) => boolean {
  if (text === undefined) return () => false;
  const [, number = '', isShare = ''] = /^(\d{1,9}|\d{1,2}\.\d{1,3}(?=%))(%?)$/.exec(text) ?? [];
  const limit = Number(number);
  if (number === '' || (isShare !== '' && limit > 100)) {
    throw new Failure('usage', `--max-refused takes a number of lines or a share of them, 1000 or 1%, not "${text}".`);
  }
  if (isShare === '') return ({ refused }) => refused > limit;
  return ({ refused, lines }) => lines >= ENOUGH_LINES && refused * 100 > lines * limit;
}
