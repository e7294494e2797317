import { describe, expect, test } from 'vitest';
import { callerRequestIdOf } from '../../src/http/request-facts.ts';

describe('callerRequestIdOf', () => {
  test.each(['a', 'Run-7_batch.12', 'x'.repeat(128)])('7.4 keeps the sane id %j', (header) => {
    expect(callerRequestIdOf(header)).toBe(header);
  });

  test.each([undefined, '', 'x'.repeat(129), 'a b', 'a\r\nSet-Cookie: x', '<script>', 'ä', '"level":60', ['a', 'b']])(
    '7.4 takes no notice of %j',
    (header) => {
      expect(callerRequestIdOf(header)).toBeUndefined();
    },
  );
});
