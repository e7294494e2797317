import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import type { Actor } from '@causeway/domain';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { WireRefusal } from './wire-refusal.ts';

const ISSUER = 'causeway';
const ALGORITHM = 'HS256';
const TOKEN_LIFETIME_S = 60 * 60;
/** How far the clocks of two instances may differ. */
const CLOCK_LEEWAY_S = 30;
/** Of the secret that signs them. */
export const MIN_SECRET_LENGTH = 32;

/** What a token says: the API key it was issued for, whose key that is, and the times in Unix seconds. */
export type TokenClaims = z.infer<typeof TokenClaims>;
const TokenClaims = z.object({
  iss: z.literal(ISSUER),
  sub: z.uuid(),
  org: z.uuid().optional(),
  staff: z.literal(true).optional(),
  iat: z.int(),
  exp: z.int(),
  jti: z.uuid(),
});

/** Signs and verifies the access tokens of behaviour 5.4: JWTs of 60 minutes, HS256 and nothing else. */
export interface Tokens {
  issue(actor: Actor): Promise<{ token: string; claims: TokenClaims }>;
  /**
   * The claims of a token that is whole, has not expired and could have been issued here: not in the future, and not for
   * longer than 60 minutes. Throws `token_expired` or `authentication_failed`.
   */
  verify(token: string): Promise<TokenClaims>;
  /** The 32 bytes of the refresh token that follows this one: always the same, and nobody's to compute without the secret. */
  successorOf(refreshToken: string): Buffer;
}

/** `secret` is the same on all instances and has 32 characters or more; a shorter one is a plain Error at start. */
export function createTokens({ secret, clock }: { secret: string; clock: () => Date }): Tokens {
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new Error(`The token secret is too short: it needs ${MIN_SECRET_LENGTH} characters.`);
  }
  const key = createSecretKey(secret, 'utf8');

  return {
    async issue(actor) {
      const iat = Math.floor(clock().getTime() / 1000);
      const claims: TokenClaims = {
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
        const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate: now });
        return requireIssuable(TokenClaims.parse(payload), now);
      } catch (error) {
        throw refusal(error);
      }
    },

    // No JWT has a space in what is signed, so that neither value is ever the other.
    successorOf: (refreshToken) => createHmac('sha256', key).update(`refresh token after ${refreshToken}`).digest(),
  };
}

/** Whoever learns the secret must not make a token that outlives the theft. */
function requireIssuable(claims: TokenClaims, now: Date): TokenClaims {
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
