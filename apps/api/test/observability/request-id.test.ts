import { describe, expect, test } from 'vitest';
import { requestIdOf } from '../../src/observability/request-id.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('requestIdOf', () => {
  test.each(['a', 'Run-7_batch.12', 'x'.repeat(128)])('design 4.3 keeps the sane id %j', (header) => {
    expect(requestIdOf(header)).toBe(header);
  });

  test.each([undefined, '', 'x'.repeat(129), 'a b', 'a\r\nSet-Cookie: x', '<script>', 'ä', '"level":60', ['a', 'b']])(
    'design 4.3 makes an id in place of %j',
    (header) => {
      expect(requestIdOf(header)).toMatch(UUID);
      expect(requestIdOf(header)).not.toBe(requestIdOf(header));
    },
  );
});
