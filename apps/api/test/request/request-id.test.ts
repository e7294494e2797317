import { describe, expect, test } from 'vitest';
import { callerRequestIdOf } from '../../src/request/request-id.ts';

describe('callerRequestIdOf', () => {
  test.each(['a', 'Run-7_batch.12', 'x'.repeat(128)])('design 4.3 keeps the sane id %j', (header) => {
    expect(callerRequestIdOf(header)).toBe(header);
  });

  test.each([undefined, '', 'x'.repeat(129), 'a b', 'a\r\nSet-Cookie: x', '<script>', 'ä', '"level":60', ['a', 'b']])(
    'design 4.3 takes no notice of %j',
    (header) => {
      expect(callerRequestIdOf(header)).toBeUndefined();
    },
  );
});
