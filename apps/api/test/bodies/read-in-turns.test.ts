import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readObject } from '../../src/bodies/gate.ts';

/** In which turn of the loop from now the body is parsed, and in which it goes on. */
async function turnsOf(bytes: number): Promise<{ parsed: number; wentOn: number }> {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const parse = JSON.parse;
  let parsed = -1;
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    parsed = turn;
    return parse(text, reviver);
  });
  onTestFinished(() => spy.mockRestore());
  const body = Buffer.from(JSON.stringify({ x: 'x'.repeat(bytes) }));
  await readObject(body, { locals: {}, destroyed: false } as unknown as ServerResponse);
  const wentOn = turn;
  isOver = true;
  return { parsed, wentOn };
}

test('11.5.4 what comes after the reading of a very large body is done in a turn of its own', async () => {
  const { parsed, wentOn } = await turnsOf(300_000);
  expect(wentOn).toBeGreaterThan(parsed);
});

test('11.5.4 a body that is not so large goes on at once', async () => {
  const { parsed, wentOn } = await turnsOf(200_000);
  expect(wentOn).toBe(parsed);
});
