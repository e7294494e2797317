import type { Actor } from '@causeway/domain';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../src/http/caller.ts';
import { createTokens } from '../../src/http/tokens.ts';
import { WireRefusal } from '../../src/http/wire-refusal.ts';
import { newSupplierKey, revoke } from '../graphql/api-keys.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

const START = Date.parse('2026-03-02T08:00:00Z');
let now = START;
beforeEach(() => {
  now = START;
});
const clock = () => new Date(now);
const tokens = createTokens({ secret: 'a secret that all instances share', clock });
const failed = { name: 'WireRefusal', code: 'authentication_failed' };

/** An instance of the service, its look-ups of API keys counted, and failing for as long as it is told. */
function instance() {
  const state = { lookUps: 0, failWith: undefined as Error | undefined };
  const counted: typeof database = {
    ...database,
    query: async (statement, values) => {
      state.lookUps += 1;
      if (state.failWith !== undefined) {
        throw state.failWith;
      }
      return database.query(statement, values);
    },
  };
  return { state, ...createAuthenticator({ database: counted, clock, tokens }) };
}

async function newToken(): Promise<{ token: string; actor: Actor }> {
  const { actor } = await newSupplierKey(database);
  return { token: (await tokens.issue(actor)).token, actor };
}

describe('the Authorization header', () => {
  it('5 takes the bare token, and the token after the word Token or Bearer', async () => {
    const { token, actor } = await newToken();
    const { authenticate } = instance();
    const headers = [token, `Token ${token}`, `Bearer ${token}`, `token ${token}`, `BEARER\t${token}`];
    for (const header of [...headers, ` ${token} `, `  Token   ${token}  `]) {
      expect(await authenticate(header)).toEqual(actor);
    }
  });

  it.each([undefined, '', '  '])('5.4 answers not_authenticated where none exists (%j)', async (header) => {
    await expect(instance().authenticate(header)).rejects.toMatchObject({ code: 'not_authenticated' });
  });

  it('5.4 answers authentication_failed where it holds no good token', async () => {
    const { token } = await newToken();
    const { authenticate, state } = instance();
    const headers = ['Token', 'Bearer ', `Basic ${token}`, `Token ${token} ${token}`, `Token${token}`, `"${token}"`];
    for (const header of [...headers, `Token, ${token}`, `${token},${token}`, 'x', '...', 'Token Token']) {
      await expect(authenticate(header)).rejects.toMatchObject(failed);
    }
    expect(state.lookUps).toBe(0);
  });

  it('5.4 answers token_expired after 60 minutes, also for a token it remembers', async () => {
    const { token, actor } = await newToken();
    const { authenticate } = instance();
    now = START + 59 * 60_000 + 59_000;
    expect(await authenticate(token)).toEqual(actor);
    now = START + 60 * 60_000;
    await expect(authenticate(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('5.4 answers authentication_failed for the token of a key that never existed', async () => {
    const apiKeyId = '00000000-0000-4000-8000-000000000000';
    const { token } = await tokens.issue({ kind: 'staff', apiKeyId });
    await expect(instance().authenticate(token)).rejects.toMatchObject(failed);
  });
});

describe('what is remembered', () => {
  it('5.5 looks a key up once for calls at the same time and within 4 seconds', async () => {
    const { token, actor } = await newToken();
    const { authenticate, state } = instance();
    const other = (await tokens.issue(actor)).token;
    await Promise.all([token, other, token, token, other].map((each) => authenticate(each)));
    expect(state.lookUps).toBe(1);
    now += 3_999;
    await authenticate(token);
    expect(state.lookUps).toBe(1);
    now += 1;
    await authenticate(token);
    expect(state.lookUps).toBe(2);
  });

  it('5.5 does not bring a look-up from before a revocation back after it', async () => {
    const { token, actor } = await newToken();
    const { authenticate, forget, state } = instance();
    const early = authenticate(token);
    while (state.lookUps === 0) {
      await new Promise(setImmediate);
    }
    await revoke(database, actor.apiKeyId);
    forget(actor.apiKeyId);
    await early.catch(() => undefined);
    await expect(authenticate(token)).rejects.toMatchObject(failed);
  });

  it('5.5 looks again where the clock was set back', async () => {
    const { token, actor } = await newToken();
    const { authenticate } = instance();
    await authenticate(token);
    await revoke(database, actor.apiKeyId);
    now -= 60_000;
    await expect(authenticate(token)).rejects.toMatchObject(failed);
  });

  it('5.5 passes a failure of the database on as it is, and does not remember it', async () => {
    const { token, actor } = await newToken();
    const { authenticate, state } = instance();
    state.failWith = new Error('the database is away');
    const outcomes = await Promise.allSettled([authenticate(token), authenticate(token)]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: state.failWith });
      expect(outcome.status === 'rejected' && outcome.reason instanceof WireRefusal).toBe(false);
    }
    state.failWith = undefined;
    expect(await authenticate(token)).toEqual(actor);
  });
});
