import { expect, test } from 'vitest';
import { createMessageReader } from '../../packages/testing/src/postgres-messages.ts';

function message(type: string, payload: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + payload.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(payload)]);
}

test('reliability rig: messages are found however the bytes are cut into chunks', () => {
  const stream = Buffer.concat([message('', 'user'), message('Q', 'SELECT 1'), message('S', ''), message('X', '')]);
  for (let size = 1; size <= stream.length; size += 1) {
    const reader = createMessageReader('to-server');
    const types: string[] = [];
    const passed: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) {
      const { bytes, starts } = reader.read(stream.subarray(at, at + size));
      passed.push(bytes);
      types.push(...starts.map(({ type }) => type));
    }
    expect(types).toEqual(['', 'Q', 'S', 'X']);
    expect(Buffer.concat(passed).equals(stream)).toBe(true);
  }
});
