import { createHash, randomUUID } from 'node:crypto';
import { type Database, databaseWithin } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, describe, expect, it } from 'vitest';
import { secretDigest } from '../../src/api-keys/api-key-text.ts';
import { issueApiKey, revokeApiKey } from '../../src/api-keys/api-keys.ts';
import { exchangeApiKey, exchangeRefreshToken, type RefreshGrant } from '../../src/api-keys/refresh-tokens.ts';
import { createOrganisation } from '../../src/organisations/organisations.ts';
import type { Actor } from '../../src/shared/actor.ts';
import { auditTrail, staffContext } from '../support/staff-context.ts';

const { database, drop } = await createTestDatabase({ poolSize: 20 });
afterAll(drop);

const context = staffContext(database);
const DAY_S = 24 * 60 * 60;

async function newKey(): Promise<{ actor: Actor; apiKey: string }> {
  const { id: organisationId } = await createOrganisation(context, { name: randomUUID() });
  const issued = await issueApiKey(context, { organisation_id: organisationId, label: 'test' });
  return { actor: { kind: 'organisation', apiKeyId: issued.id, organisationId }, apiKey: issued.api_key };
}

const { actor, apiKey } = await newKey();

async function issue(key = apiKey): Promise<RefreshGrant> {
  const grant = await exchangeApiKey(database, key);
  if (grant === undefined) throw new Error('The key was refused.');
  return grant;
}
/** As the service does it, but for the secret in it. */
const use = ({ refreshToken }: { refreshToken: string }, within: Database = database) =>
  exchangeRefreshToken(within, refreshToken, {
    successorBytes: createHash('sha256').update(`after ${refreshToken}`).digest(),
    requestId: randomUUID(),
  });
async function mustUse(grant: { refreshToken: string }): Promise<RefreshGrant> {
  const next = await use(grant);
  if (next === undefined) throw new Error('The refresh token was refused.');
  return next;
}
const rowOf = ({ refreshToken }: { refreshToken: string }) =>
  database.prisma.refreshToken.findUniqueOrThrow({ where: { digest: secretDigest(refreshToken) } });

/** Lets time pass for the whole family of a token, as the database sees it. */
async function age(grant: { refreshToken: string }, interval: string): Promise<void> {
  const { family } = await rowOf(grant);
  await database.pool.query(
    `UPDATE refresh_tokens SET expires_at = expires_at - $2::interval, used_at = used_at - $2::interval,
      family_expires_at = family_expires_at - $2::interval WHERE family = $1`,
    [family, interval],
  );
}
const secondsFromNow = ({ expiresAt }: RefreshGrant) => (expiresAt.getTime() - Date.now()) / 1_000;

describe('a refresh token', () => {
  it('5.6 is issued for 7 days, and its digest alone is stored', async () => {
    const grant = await issue();
    expect(grant.actor).toEqual(actor);
    expect(Math.abs(secondsFromNow(grant) - 7 * DAY_S)).toBeLessThan(60);
    expect(await rowOf(grant)).toMatchObject({
      api_key_id: actor.apiKeyId,
      expires_at: grant.expiresAt,
      used_at: null,
    });
  });

  it('5.6 is exchanged for a successor of 7 days from then', async () => {
    const first = await issue();
    await age(first, '6 days');
    const second = await mustUse(first);
    expect(second).toMatchObject({ actor });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(Math.abs(secondsFromNow(second) - 7 * DAY_S)).toBeLessThan(60);
    await age(second, '6 days');
    expect(await use(second)).toMatchObject({ actor });
  });

  it('5.6 is refused when it has expired by the clock of the database, or was never issued', async () => {
    const grant = await issue();
    await age(grant, '7 days');
    expect(await use(grant)).toBeUndefined();
    const known = await issue();
    for (const refreshToken of [`${known.refreshToken}x`, '', 'nul \u0000', `cw_refresh_${'A'.repeat(43)}`]) {
      expect(await use({ refreshToken })).toBeUndefined();
    }
  });

  it('5.6 ends with its key, also one that was used a moment ago', async () => {
    const other = await newKey();
    const used = await issue(other.apiKey);
    const next = await mustUse(used);
    await revokeApiKey(context, { id: other.actor.apiKeyId });
    expect(await use(used)).toBeUndefined();
    expect(await use(next)).toBeUndefined();
  });

  it('5.6 does not hinder the revocation of its key, however many there are and no matter who uses one', async () => {
    const other = await newKey();
    const grant = await issue(other.apiKey);
    using user = await borrowConnection(database.pool);
    await user.query('BEGIN');
    await user.query('SELECT FROM refresh_tokens WHERE digest = $1 FOR UPDATE', [secretDigest(grant.refreshToken)]);
    await revokeApiKey(context, { id: other.actor.apiKeyId });
    await user.query('ROLLBACK');
    user.release();
    expect(await use(grant)).toBeUndefined();
  });

  it('5.6 is cleared away when its family has ended, ten at a time', async () => {
    await database.prisma.refreshToken.deleteMany();
    for (let index = 0; index < 15; index += 1) await issue();
    await database.pool.query(`UPDATE refresh_tokens SET expires_at = now() - interval '1 second'`);
    await issue();
    await issue();
    expect(await database.prisma.refreshToken.count()).toBe(2);
  });
});

describe('a family of refresh tokens', () => {
  it('5.6 has one successor of a token, however often it is used within 10 minutes', async () => {
    const first = await issue();
    const second = await mustUse(first);
    await age(first, '9 minutes');
    expect((await mustUse(first)).refreshToken).toBe(second.refreshToken);
    // Also when the successor was used meanwhile.
    const third = await mustUse(second);
    expect((await mustUse(first)).refreshToken).toBe(second.refreshToken);
    expect((await mustUse(second)).refreshToken).toBe(third.refreshToken);
    expect(await database.prisma.refreshToken.count({ where: { family: secretDigest(first.refreshToken) } })).toBe(3);
  });

  it('5.6 has one successor of a token that is used 20 times at once', async () => {
    const first = await issue();
    const grants = await Promise.all(Array.from({ length: 20 }, () => mustUse(first)));
    expect(new Set(grants.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(new Set(grants.map(({ expiresAt }) => expiresAt.getTime())).size).toBe(1);
    expect(await database.prisma.refreshToken.count({ where: { family: secretDigest(first.refreshToken) } })).toBe(2);
  });

  it('5.6 ends as a whole when a token is used again after 10 minutes, and the audit trail tells which token it was', async () => {
    const own = await newKey();
    const first = await issue(own.apiKey);
    const second = await mustUse(first);
    const third = await mustUse(second);
    const otherFamily = await issue(own.apiKey);
    await age(first, '11 minutes');
    expect(await use(first)).toBeUndefined();
    expect(await use(first)).toBeUndefined();
    expect(await use(third)).toBeUndefined();
    expect(await use(second)).toBeUndefined();
    expect(await use(otherFamily)).toMatchObject({ actor: own.actor });
    const trail = await auditTrail(database, own.actor.apiKeyId);
    expect(trail.map(({ action }) => action)).toEqual(['issued', 'refresh_token_reused', 'refresh_token_reused']);
  });

  it('5.6 is in the audit trail once, however often its token is used again at one time', async () => {
    const own = await newKey();
    const first = await issue(own.apiKey);
    await mustUse(first);
    await age(first, '11 minutes');
    // The time of a transaction stands still.
    await database.transaction(async (transaction) => {
      const within = databaseWithin(database, transaction);
      expect(await use(first, within)).toBeUndefined();
      expect(await use(first, within)).toBeUndefined();
    });
    const trail = await auditTrail(database, own.actor.apiKeyId);
    expect(trail.map(({ action }) => action)).toEqual(['issued', 'refresh_token_reused']);
  });

  it('5.6 ends also where the token that is used again is older than its own 7 days', async () => {
    const first = await issue();
    const second = await mustUse(first);
    await age(first, '6 days');
    const third = await mustUse(second);
    await age(first, '2 days');
    expect(await use(first)).toBeUndefined();
    expect(await use(third)).toBeUndefined();
  });

  it('5.6 ends 30 days after its first token, whatever is refreshed', async () => {
    const first = await issue();
    let newest = first;
    for (let days = 6; days <= 24; days += 6) {
      await age(newest, '6 days');
      newest = await mustUse(newest);
    }
    await age(newest, '5 days');
    newest = await mustUse(newest);
    expect(Math.abs(secondsFromNow(newest) - DAY_S)).toBeLessThan(60);
    await age(newest, '1 day');
    expect(await use(newest)).toBeUndefined();
  });
});
