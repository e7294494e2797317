import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readObject } from '../../src/bodies/gate.ts';
import { Pieces } from '../../src/bodies/pieces.ts';
import { Party } from '../../src/overload/party.ts';
import { bodyLimits } from '../support/body-limits.ts';

/** In which turn of the loop from now the body is put together, in which it is parsed, and in which it continues. */
async function turnsOf(bytes: number): Promise<{ joined: number; parsed: number; wentOn: number }> {
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
  const body = new Pieces();
  // Strings with an escape are given to JSON.parse.
  body.add(Buffer.from(JSON.stringify({ x: 'x'.repeat(bytes), y: '\n' })));
  let joined = -1;
  const join = body.join.bind(body);
  vi.spyOn(body, 'join').mockImplementation(() => {
    joined = turn;
    return join();
  });
  const response = { locals: { party: new Party('test') }, destroyed: false };
  await readObject(body, response as unknown as ServerResponse, bodyLimits());
  const wentOn = turn;
  isOver = true;
  return { joined, parsed, wentOn };
}

test('11.5.4 a very large body is put together, read and checked in turns of their own', async () => {
  const { joined, parsed, wentOn } = await turnsOf(300_000);
  expect(joined).toBeGreaterThan(0);
  expect(parsed).toBeGreaterThan(joined);
  expect(wentOn).toBeGreaterThan(parsed);
});

test('11.5.4 a body that is not so large continues at once', async () => {
  const { joined, parsed, wentOn } = await turnsOf(200_000);
  expect([joined, wentOn]).toEqual([parsed, parsed]);
});
