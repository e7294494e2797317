import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretDigest } from '../../src/api-keys/api-key-text.ts';
import { issueApiKey } from '../../src/api-keys/issue-api-key.ts';
import { exchangeRefreshToken, issueRefreshToken } from '../../src/api-keys/refresh-tokens.ts';
import { revokeApiKey } from '../../src/api-keys/revoke-api-key.ts';
import type { Actor } from '../../src/context.ts';
import { createOrganisation } from '../../src/organisations/create-organisation.ts';
import { NOW, staffContext } from '../support/staff-context.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

const context = staffContext(database);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
let actor: Actor;

async function newActor(name: string): Promise<Actor> {
  const { id: organisationId } = await createOrganisation(context, { name });
  const { id: apiKeyId } = await issueApiKey(context, { organisation_id: organisationId, label: name });
  return { kind: 'supplier', apiKeyId, organisationId };
}

beforeAll(async () => {
  actor = await newActor('Northwind');
});

describe('refresh tokens', () => {
  it('design 4.2 issues a refresh token for 7 days and stores its digest only', async () => {
    const grant = await issueRefreshToken(database, NOW, actor);
    expect(grant.actor).toEqual(actor);
    expect(grant.expiresAt).toEqual(new Date('2026-03-09T08:00:00Z'));
    const row = await database.prisma.refreshToken.findUnique({ where: { digest: secretDigest(grant.refreshToken) } });
    expect(row).toMatchObject({ api_key_id: actor.apiKeyId, expires_at: grant.expiresAt });
  });

  it('design 4.2 exchanges a refresh token for a new one of 7 days from then', async () => {
    const { refreshToken } = await issueRefreshToken(database, NOW, actor);
    const next = await exchangeRefreshToken(database, after(6 * DAY), refreshToken);
    expect(next).toMatchObject({ actor, expiresAt: new Date('2026-03-15T08:00:00Z') });
    expect(next?.refreshToken).not.toBe(refreshToken);
    expect(await exchangeRefreshToken(database, after(12 * DAY), next?.refreshToken ?? '')).toMatchObject({ actor });
  });

  it('design 4.2 takes a used refresh token for 10 minutes more, so that a lost answer can be asked for again', async () => {
    const { refreshToken } = await issueRefreshToken(database, NOW, actor);
    const exchange = (milliseconds: number) => exchangeRefreshToken(database, after(milliseconds), refreshToken);
    const both = await Promise.all([exchange(0), exchange(0)]);
    expect(new Set(both.map((grant) => grant?.refreshToken)).size).toBe(2);
    expect(await exchange(9 * MINUTE)).toMatchObject({ actor });
    // The second use at 9 minutes did not lengthen the first one's 10.
    expect(await exchange(11 * MINUTE)).toBeUndefined();
  });

  it('design 4.2 never lengthens a refresh token by its use', async () => {
    const { refreshToken } = await issueRefreshToken(database, NOW, actor);
    expect(await exchangeRefreshToken(database, after(7 * DAY - MINUTE), refreshToken)).toBeDefined();
    expect(await exchangeRefreshToken(database, after(7 * DAY + MINUTE), refreshToken)).toBeUndefined();
  });

  it('design 4.2 refuses a refresh token that has expired or was never issued', async () => {
    const { refreshToken, expiresAt } = await issueRefreshToken(database, NOW, actor);
    expect(await exchangeRefreshToken(database, expiresAt, refreshToken)).toBeUndefined();
    expect(await exchangeRefreshToken(database, NOW, `${refreshToken}x`)).toBeUndefined();
    expect(await exchangeRefreshToken(database, NOW, '')).toBeUndefined();
    expect(await exchangeRefreshToken(database, NOW, 'nul \u0000')).toBeUndefined();
  });

  it('design 4.2 ends the refresh tokens of a revoked key', async () => {
    const other = await newActor('Southwind');
    const { refreshToken } = await issueRefreshToken(database, NOW, other);
    await revokeApiKey(context, { id: other.apiKeyId });
    expect(await exchangeRefreshToken(database, NOW, refreshToken)).toBeUndefined();
    // Also one that was issued just as the key was revoked.
    const late = await issueRefreshToken(database, NOW, other);
    expect(await exchangeRefreshToken(database, NOW, late.refreshToken)).toBeUndefined();
  });

  it('design 4.2 revokes a key without touching its refresh tokens: their number, or who uses one, cannot hinder it', async () => {
    const other = await newActor('Eastwind');
    const { refreshToken } = await issueRefreshToken(database, NOW, other);
    const user = await database.pool.connect();
    await user.query('BEGIN');
    await user.query('SELECT FROM refresh_tokens WHERE digest = $1 FOR UPDATE', [secretDigest(refreshToken)]);
    await revokeApiKey(context, { id: other.apiKeyId });
    await user.query('ROLLBACK');
    user.release();
    expect(await exchangeRefreshToken(database, NOW, refreshToken)).toBeUndefined();
  });

  it('design 4.2 clears away what has expired', async () => {
    await database.prisma.refreshToken.deleteMany();
    for (let index = 0; index < 15; index += 1) {
      await issueRefreshToken(database, NOW, actor);
    }
    const later = after(8 * DAY);
    await issueRefreshToken(database, later, actor);
    await issueRefreshToken(database, later, actor);
    expect(await database.prisma.refreshToken.count()).toBe(2);
  });
});
