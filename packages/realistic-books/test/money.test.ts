import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, penceOf, poundsOf } from '../src/sample/money.ts';

describe('the money of the sample book', () => {
  it('18.2 keeps every penny on the way to JSON and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 }), (pence) => {
        expect(penceOf(JSON.stringify(poundsOf(pence)))).toBe(pence === 0 ? 0 : pence);
        expect(penceOf(decimalOf(pence))).toBe(pence === 0 ? 0 : pence);
      }),
    );
  });
});
