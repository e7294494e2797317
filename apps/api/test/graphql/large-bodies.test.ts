import { createTestDatabase } from '@causeway/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { WireRefusal } from '../../src/http/wire-refusal.ts';
import { ATTEMPT_LIMITS, startGraphqlServer } from './graphql-server.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

const [HERE, ELSEWHERE] = ['192.0.2.8', '192.0.2.9'];
const NO_JSON = '{"query": ';

async function startServer(overrides: Parameters<typeof startGraphqlServer>[1] = {}) {
  const server = await startGraphqlServer(database, overrides);
  const send = async (body: string, address = HERE) => {
    const headers = { 'content-type': 'application/json', 'x-test-address': address };
    const answer = await server.request({ method: 'POST', headers, body });
    return [answer.status, answer.body.errors?.[0].extensions.errorCode];
  };
  return { ...server, send };
}

describe('a body for ObtainToken', () => {
  it('5.7.4 has up to 40 kB', async () => {
    const { send, close } = await startServer();
    const body = JSON.stringify({ query: '{ serviceVersion }' });
    expect(await send(body.padEnd(40_960, ' '))).toEqual([200, undefined]);
    expect(await send(body.padEnd(40_961, ' '))).toEqual([413, 'CW-1004']);
    await close();
  });

  it('5.7.6 is not read while the address has too much to do here', async () => {
    const { send, close } = await startServer({
      countWork: () => {
        throw new WireRefusal('service_unavailable', 'The service has more to do than it can now.');
      },
    });
    for (const body of [NO_JSON, NO_JSON.padEnd(20_000, ' ')]) expect(await send(body)).toEqual([503, 'CW-1007']);
    await close();
  });

  it('5.7.6 counts as a document where it is none, and a large one is not read once there were too many', async () => {
    const { send, close } = await startServer({ attemptLimits: { ...ATTEMPT_LIMITS, queriesPerAddress: 3 } });
    const large = NO_JSON.padEnd(20_000, ' ');
    for (const body of [NO_JSON, large, NO_JSON]) expect(await send(body)).toEqual([400, 'CW-1001']);
    expect(await send(NO_JSON)).toEqual([429, 'CW-1105']);
    const attempt = { query: 'mutation { obtainToken(input: { APIKey: "no" }) { token } }' };
    expect(await send(JSON.stringify(attempt))).toEqual([200, 'CW-1101']);
    expect(await send(JSON.stringify(attempt).padEnd(20_000, ' '))).toEqual([429, 'CW-1105']);
    expect(await send(large, ELSEWHERE)).toEqual([400, 'CW-1001']);
    await close();
  });

  it('5.7.6 counts as a document where it is too large', async () => {
    const { send, close } = await startServer({ attemptLimits: { ...ATTEMPT_LIMITS, queriesPerAddress: 2 } });
    const tooLarge = NO_JSON.padEnd(50_000, ' ');
    const answers = [await send(tooLarge), await send(tooLarge), await send(tooLarge)];
    expect(answers).toEqual([
      [413, 'CW-1004'],
      [413, 'CW-1004'],
      [429, 'CW-1105'],
    ]);
    await close();
  });
});
