import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenPayload } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { type Actor, findActor } from '@causeway/domain';
import { LRUCache } from 'lru-cache';
import type { Admission } from '../overload/admission.ts';
import type { Parties, Party } from '../overload/party.ts';
import { clientNetworks } from './client-network.ts';
import { requestFacts } from './request-facts.ts';
import type { Tokens } from './tokens.ts';
import { WireRefusal } from './wire-refusal.ts';

/**
 * A revoked key stops working within 5 seconds everywhere (behaviour 5.5); one second is left for the look-up itself.
 */
const KEY_REMEMBERED_FOR_MS = 4_000;
const MAX_TOKENS = 10_000;
const MAX_KEYS = 10_000;
const AUTHORIZATION = /^\s*(?:(?:token|bearer)\s+)?(\S+)\s*$/i;

/** The token in an Authorization header, in any of its forms; undefined without one. */
export function tokenIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : AUTHORIZATION.exec(header)?.[1];
}

/** Identifies the caller from the Authorization header. */
export interface Authenticator {
  /**
   * Accepts the bare token, `Token <token>` or `Bearer <token>` (behaviour 5.3). Throws `not_authenticated` without a
   * header, `token_expired`, and `authentication_failed` for anything else that is not a valid token of an active key.
   * A database failure is thrown unchanged.
   */
  authenticate(header: string | undefined): Promise<Actor>;
  /** Makes the next call look the key up again: for an instance that has just revoked it. */
  forget(apiKeyId: string): void;
}

interface KeyLookUp {
  startedAt: number;
  actor: Promise<Actor | undefined>;
}

/** Verified tokens and the keys behind them are remembered in bounded caches; neither outlives the token's expiry. */
export function createAuthenticator(deps: { database: Database; clock: () => Date; tokens: Tokens }): Authenticator {
  const { database, clock, tokens } = deps;
  const verified = new LRUCache<string, TokenPayload>({ max: MAX_TOKENS });
  const lookUps = new LRUCache<string, KeyLookUp>({ max: MAX_KEYS });

  async function claimsOf(token: string): Promise<TokenPayload> {
    const known = verified.get(token);
    if (known !== undefined && known.exp * 1000 > clock().getTime()) return known;
    verified.delete(token);
    const claims = await tokens.verify(token);
    verified.set(token, claims);
    return claims;
  }

  /** Concurrent calls share one look-up; its age counts from its start, because it reads the key as of then. */
  function actorOf(apiKeyId: string): Promise<Actor | undefined> {
    const now = clock().getTime();
    const known = lookUps.get(apiKeyId);
    const age = known === undefined ? Number.NaN : now - known.startedAt;
    if (known !== undefined && age >= 0 && age < KEY_REMEMBERED_FOR_MS) return known.actor;
    const lookUp = { startedAt: now, actor: findActor(database, apiKeyId) };
    lookUps.set(apiKeyId, lookUp);
    lookUp.actor.catch(() => {
      if (lookUps.peek(apiKeyId) === lookUp) lookUps.delete(apiKeyId);
    });
    return lookUp.actor;
  }

  return {
    async authenticate(header) {
      if (header === undefined || header.trim() === '') {
        throw new WireRefusal('not_authenticated', 'The Authorization header with a token is missing.');
      }
      const token = tokenIn(header);
      if (token === undefined) {
        throw new WireRefusal('authentication_failed', 'The Authorization header does not hold one token.');
      }
      const claims = await claimsOf(token);
      const actor = await actorOf(claims.sub);
      if (actor === undefined) {
        throw new WireRefusal('authentication_failed', 'The API key behind this token has been revoked.');
      }
      return actor;
    },
    forget(apiKeyId) {
      lookUps.delete(apiKeyId);
    },
  };
}

const MAX_KNOWN = 10_000;
/** None of our own tokens is this long. */
const MAX_KNOWN_LENGTH = 1_024;

export interface KnownParties {
  /** The sender, as far as the head shows: the caller that was authenticated with this token before. */
  of(request: IncomingMessage): Party;
  /** The sender, if its token is not checked. */
  ofAddress(request: IncomingMessage): Party;
  /** From now on the request's token identifies this caller, however the header is written. */
  remember(request: IncomingMessage, actor: Actor): Party;
}

/** Identifies parties before they are authenticated, without a query or a signature check. */
export function createKnownParties(parties: Parties, trustedProxies: number): KnownParties {
  const known = new LRUCache<string, Party>({ max: MAX_KNOWN });
  const ofAddress = (request: IncomingMessage) => parties.named(addressOf(request, trustedProxies));
  return {
    of: (request) => known.get(tokenIn(request.headers.authorization) ?? '') ?? ofAddress(request),
    ofAddress,
    remember(request, actor) {
      const token = tokenIn(request.headers.authorization);
      const party = parties.named(nameOf(actor));
      if (token !== undefined && token.length <= MAX_KNOWN_LENGTH) known.set(token, party);
      return party;
    },
  };
}

function nameOf(actor: Actor): string {
  return actor.kind === 'organisation' ? actor.organisationId : 'staff';
}

/** The address that Express derives with that many proxies. */
function addressOf(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const addresses = [request.socket.remoteAddress ?? '', ...forwarded.reverse().map((address) => address.trim())];
  const address = addresses.slice(0, trustedProxies + 1).findLast((address) => address !== '') ?? '';
  // The widest network: a client with many narrow ones is still one party.
  return `address ${clientNetworks(address).at(-1)}`;
}

interface CallerDependencies {
  authenticator: Authenticator;
  admission: Admission;
  parties: KnownParties;
}

/** Records the caller of a request. */
export type IdentifyCaller = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Records the caller of a request. Throws if it has none, if its party holds more than its share, or if its key may
 * only read and the request could change something (behaviour 14.3.5), whatever is behind the address.
 */
export function identifyCallerWith({ authenticator, admission, parties }: CallerDependencies): IdentifyCaller {
  return async (request, response) => {
    const actor = await authenticator.authenticate(request.headers.authorization);
    const facts = requestFacts(response);
    facts.actor = actor;
    if (facts.party.name !== nameOf(actor)) {
      // Authenticated only now: it was admitted under another party.
      facts.party = parties.remember(request, actor);
      const overload = admission.overload(facts.party);
      if (overload !== undefined) throw overload;
    }
    if (mayOnlyRead(actor) && !['GET', 'HEAD'].includes(request.method ?? '')) {
      throw new WireRefusal('permission_denied', 'This key is read-only.');
    }
  };
}

function mayOnlyRead(actor: Actor): boolean {
  return actor.kind === 'staff' && actor.isReadOnly === true;
}
