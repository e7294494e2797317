import { describe, expect, it } from 'vitest';
import { asSterling } from '../src/sterling.ts';

describe('the money of the demo', () => {
  it('18.2 writes sums for people', () => {
    expect(['123456789', '-5', '0'].map((pence) => asSterling(Number(pence)))).toEqual([
      '£1,234,567.89',
      '-£0.05',
      '£0.00',
    ]);
  });
});
