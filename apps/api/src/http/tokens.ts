import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import { TokenPayload } from '@causeway/contracts';
import type { Actor } from '@causeway/domain';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { WireRefusal } from './wire-refusal.ts';

const ISSUER = 'causeway';
const ALGORITHM = 'HS256';
const TOKEN_LIFETIME_S = 60 * 60;
/** The allowed clock skew between two instances. */
const CLOCK_LEEWAY_S = 30;
/** The minimum length of the signing secret. */
export const MIN_SECRET_LENGTH = 32;

/** Signs and verifies the access tokens of behaviour 5.4: JWTs of 60 minutes, HS256 and nothing else. */
export interface Tokens {
  issue(actor: Actor): Promise<{ token: string; claims: TokenPayload }>;
  /**
   * The claims of a token that is intact, has not expired and could have been issued here: not in the future, and for
   * at most 60 minutes. Throws `token_expired` or `authentication_failed`.
   */
  verify(token: string): Promise<TokenPayload>;
  /** The 32 bytes of a refresh token's successor: always the same, and not to be computed without the secret. */
  successorOf(refreshToken: string): Buffer;
}

export interface TokenOptions {
  /** The same on all instances, with at least 32 characters; a shorter one is a plain Error at start-up. */
  secret: string;
  /** While a secret is replaced: what it signed is valid too. It signs nothing here. */
  otherSecret?: string | undefined;
  clock: () => Date;
}

export function createTokens({ secret, otherSecret, clock }: TokenOptions): Tokens {
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new Error(`The token secret is too short: it needs ${MIN_SECRET_LENGTH} characters.`);
  }
  const key = createSecretKey(secret, 'utf8');
  const otherKey = otherSecret === undefined ? undefined : createSecretKey(otherSecret, 'utf8');

  return {
    async issue(actor) {
      const iat = Math.floor(clock().getTime() / 1000);
      const claims: TokenPayload = {
        iss: ISSUER,
        sub: actor.apiKeyId,
        ...(actor.kind === 'staff' ? { staff: true } : { org: actor.organisationId }),
        iat,
        exp: iat + TOKEN_LIFETIME_S,
        jti: randomUUID(),
      };
      const token = await new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' }).sign(key);
      return { token, claims };
    },

    async verify(token) {
      const now = clock();
      try {
        if (!isCanonical(token)) throw new errors.JWSInvalid('A part of it is not in the one spelling of base64url.');
        const limits = { algorithms: [ALGORITHM], currentDate: now };
        const { payload } = await jwtVerify(token, key, limits).catch((error: unknown) => {
          if (otherKey === undefined || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
          return jwtVerify(token, otherKey, limits);
        });
        return requireIssuable(TokenPayload.parse(payload), now);
      } catch (error) {
        throw refusal(error);
      }
    },

    // The signed part of a JWT has no space, so the two kinds of value never coincide.
    successorOf: (refreshToken) => createHmac('sha256', key).update(`refresh token after ${refreshToken}`).digest(),
  };
}

/** Different base64url texts can decode to the same bytes. Only one is taken, so that a token can be known by its text. */
const isCanonical = (token: string) =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/** A stolen secret must not allow tokens that outlive the theft. */
function requireIssuable(claims: TokenPayload, now: Date): TokenPayload {
  const isFromFuture = claims.iat > now.getTime() / 1000 + CLOCK_LEEWAY_S;
  if (isFromFuture || claims.exp - claims.iat > TOKEN_LIFETIME_S) {
    throw new WireRefusal('authentication_failed', 'The token is not valid.');
  }
  return claims;
}

function refusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return new WireRefusal('token_expired', 'The token has expired: obtain a new one.', { cause: error });
  }
  if (error instanceof errors.JOSEError || error instanceof z.ZodError) {
    return new WireRefusal('authentication_failed', 'The token is not valid.', { cause: error });
  }
  return error;
}
