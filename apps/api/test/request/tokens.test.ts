import { createHmac } from 'node:crypto';
import type { Actor } from '@causeway/domain';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createTokens } from '../../src/http/tokens.ts';

const SECRET = 'a secret that all instances share';
const NOW = new Date('2026-03-02T08:00:00.750Z');
const IAT = Date.parse('2026-03-02T08:00:00Z') / 1000;
const actor: Actor = {
  kind: 'organisation',
  apiKeyId: '6f0f5cf4-4f3e-4d53-8d0c-0a53b1d8a9f1',
  organisationId: '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55',
};
const at = (now: Date, secret = SECRET) => createTokens({ secret, clock: () => now });
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const signed = (claims: Record<string, unknown>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
const failed = { name: 'WireRefusal', code: 'authentication_failed' };

describe('tokens', () => {
  it('5.4 issues a JWT of 60 minutes that says whose key it was issued for', async () => {
    const { token, claims } = await at(NOW).issue(actor);
    expect(claims).toEqual({
      iss: 'causeway',
      sub: actor.apiKeyId,
      org: '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55',
      iat: IAT,
      exp: IAT + 3600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(await at(minutesLater(59)).verify(token)).toEqual(claims);
  });

  it('5.4 marks the tokens of the service team', async () => {
    const { claims } = await at(NOW).issue({ kind: 'staff', apiKeyId: actor.apiKeyId });
    expect(claims).toMatchObject({ sub: actor.apiKeyId, staff: true });
    expect(claims.org).toBeUndefined();
  });

  it('5.4 gives no two tokens the same id', async () => {
    const [first, second] = await Promise.all([at(NOW).issue(actor), at(NOW).issue(actor)]);
    expect(first.claims.jti).not.toBe(second.claims.jti);
  });

  it('5.4 says of a token after 60 minutes that it has expired', async () => {
    const { token } = await at(NOW).issue(actor);
    await expect(at(minutesLater(60)).verify(token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('5.4 refuses a token signed with another secret, expired or not', async () => {
    const { token } = await at(NOW, `${SECRET}!`).issue(actor);
    await expect(at(NOW).verify(token)).rejects.toMatchObject(failed);
    await expect(at(minutesLater(90)).verify(token)).rejects.toMatchObject(failed);
  });

  it('5.4 refuses a token without a signature (alg none) and with another algorithm', async () => {
    const { claims } = await at(NOW).issue(actor);
    await expect(at(NOW).verify(new UnsecuredJWT(claims).encode())).rejects.toMatchObject(failed);
    for (const alg of ['HS384', 'HS512', 'none', 'hs256', 'None']) {
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
      const input = `${encode({ alg })}.${encode(claims)}`;
      const digest = alg.startsWith('HS') ? `sha${alg.slice(2)}` : 'sha256';
      const signature = createHmac(digest, SECRET).update(input).digest('base64url');
      await expect(at(NOW).verify(`${input}.${signature}`)).rejects.toMatchObject(failed);
    }
  });

  it('5.4 refuses any other spelling of a token, which decodes to the same bytes', async () => {
    const { token } = await at(NOW).issue(actor);
    const [header, payload, signature = ''] = token.split('.');
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // Of the last digit of 32 bytes two bits say nothing.
    const last = digits[digits.indexOf(signature.at(-1) ?? '') + 1];
    const others = [`${signature}=`, `${signature}==`, `${signature.slice(0, -1)}${last}`];
    for (const other of others) {
      expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
      await expect(at(NOW).verify([header, payload, other].join('.'))).rejects.toMatchObject(failed);
    }
    await expect(at(NOW).verify([`${header}=`, payload, signature].join('.'))).rejects.toMatchObject(failed);
  });

  it('5.4 refuses a token whose claims were changed', async () => {
    const { token, claims } = await at(NOW).issue(actor);
    const [header, , signature] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, staff: true })).toString('base64url');
    await expect(at(NOW).verify(`${header}.${forged}.${signature}`)).rejects.toMatchObject(failed);
  });

  it('5.4 refuses a well signed token of another issuer or with other claims', async () => {
    const { claims } = await at(NOW).issue(actor);
    const { exp: _, ...withoutExpiry } = claims;
    const foreign = [
      { ...claims, iss: 'somebody' },
      withoutExpiry,
      { ...claims, sub: 'not an id' },
      { ...claims, sub: undefined },
      { ...claims, exp: 'tomorrow' },
      { ...claims, nbf: IAT + 600 },
    ];
    for (const each of foreign) {
      await expect(at(NOW).verify(await signed(each))).rejects.toMatchObject(failed);
    }
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', crit: ['x'], x: 1 })).toString('base64url');
    const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = createHmac('sha256', SECRET).update(input).digest('base64url');
    await expect(at(NOW).verify(`${input}.${signature}`)).rejects.toMatchObject(failed);
  });

  it('5.4 refuses a token from the future, beyond what clocks may differ by', async () => {
    const { claims } = await at(NOW).issue(actor);
    const later = (seconds: number) => signed({ ...claims, iat: IAT + seconds, exp: IAT + seconds + 3600 });
    await expect(at(NOW).verify(await later(31))).rejects.toMatchObject(failed);
    await expect(at(NOW).verify(await later(3600))).rejects.toMatchObject(failed);
    expect(await at(NOW).verify(await later(30))).toMatchObject({ iat: IAT + 30 });
  });

  it('5.4 refuses a token that is valid for longer than 60 minutes, no matter who signed it', async () => {
    const { claims } = await at(NOW).issue(actor);
    for (const exp of [IAT + 3601, IAT + 86_400, Number.MAX_SAFE_INTEGER]) {
      await expect(at(NOW).verify(await signed({ ...claims, exp }))).rejects.toMatchObject(failed);
    }
    expect(await at(NOW).verify(await signed({ ...claims, exp: IAT + 3600 }))).toMatchObject({ exp: IAT + 3600 });
  });

  it('5.4 refuses any other text, and never with an error of another kind', async () => {
    const { token } = await at(NOW).issue(actor);
    const mutated = fc
      .tuple(fc.nat(token.length - 1), fc.string({ maxLength: 3 }))
      .map(([index, text]) => token.slice(0, index) + text + token.slice(index + 1));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), mutated), async (text) => {
        const outcome = await at(NOW)
          .verify(text)
          .catch((error: unknown) => error);
        fc.pre(text !== token);
        expect(outcome).toMatchObject(failed);
      }),
    );
  });

  it('5.4.6 accepts what the other secret has signed while a secret is replaced, and signs with its own', async () => {
    const other = 'the secret that takes its place soon';
    const clock = () => NOW;
    const [before, during, after] = [
      createTokens({ secret: SECRET, otherSecret: other, clock }),
      createTokens({ secret: other, otherSecret: SECRET, clock }),
      createTokens({ secret: other, clock }),
    ];
    const [old, young] = [await before.issue(actor), await during.issue(actor)];
    for (const each of [before, during]) {
      expect(await each.verify(old.token)).toEqual(old.claims);
      expect(await each.verify(young.token)).toEqual(young.claims);
    }
    expect(await after.verify(young.token)).toEqual(young.claims);
    await expect(after.verify(old.token)).rejects.toMatchObject(failed);
    const late = createTokens({ secret: other, otherSecret: SECRET, clock: () => minutesLater(61) });
    await expect(late.verify(old.token)).rejects.toMatchObject({ code: 'token_expired' });
  });

  it('16.1 stops at a token secret that is too short', () => {
    expect(() => createTokens({ secret: 'x'.repeat(31), clock: () => NOW })).toThrow('32 characters');
  });
});
