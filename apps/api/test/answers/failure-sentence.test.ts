import { expect, test } from 'vitest';
import { refusalOf } from '../../src/procedures/check-input.ts';

const fault = (attr: string) => ({ detail: 'No.', code: 'invalid', attr }) as const;
const faults = (count: number) => Array.from({ length: count }, (_, index) => fault(`notes.${index}`));

test.each([
  ['two of which the others are repeats', [fault('a'), fault('b'), fault('a')], true, 'at least 2 problems'],
  ['as many as are reported', faults(100), false, '100 problems'],
  ['as many as are reported, and more', faults(100), true, 'the first 100 of at least 100 problems'],
  ['more than are reported', faults(120), false, 'the first 100 of 120 problems'],
] as const)('7.2 the sentence of a refusal counts the problems that it shows: %s', (_, all, hasMore, counted) => {
  const { message } = refusalOf({}, {}, { all: [...all], hasMore });
  expect(message).toBe(`The payload failed validation: ${counted}, see errors.`);
});
