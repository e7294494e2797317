import type { IncomingMessage } from 'node:http';
import type { Actor } from '@causeway/domain';
import { LRUCache } from 'lru-cache';
import { tokenIn } from '../request/authenticate.ts';
import type { Party } from '../request/request-facts.ts';
import { clientNetworks } from './client-network.ts';

const MAX_KNOWN = 10_000;
/** None of our own tokens is this long. */
const MAX_KNOWN_LENGTH = 1_024;

export interface Parties {
  /** The sender, as far as the head shows: the caller that was authenticated with this token before. */
  of(request: IncomingMessage): Party;
  /** The sender, if its token is not checked. */
  ofAddress(request: IncomingMessage): Party;
  /** From now on the request's token identifies this caller, however the header is written. */
  remember(request: IncomingMessage, actor: Actor): Party;
}

/** Identifies parties before they are authenticated, without a query or a signature check. */
export function createParties(trustedProxies: number): Parties {
  const known = new LRUCache<string, Party>({ max: MAX_KNOWN });
  return {
    of: (request) => known.get(tokenIn(request.headers.authorization) ?? '') ?? addressOf(request, trustedProxies),
    ofAddress: (request) => addressOf(request, trustedProxies),
    remember(request, actor) {
      const token = tokenIn(request.headers.authorization);
      const party = partyOf(actor);
      if (token !== undefined && token.length <= MAX_KNOWN_LENGTH) known.set(token, party);
      return party;
    },
  };
}

function partyOf(actor: Actor): Party {
  return actor.kind === 'organisation' ? actor.organisationId : 'staff';
}

/** The address that Express derives with that many proxies. */
function addressOf(request: IncomingMessage, trustedProxies: number): Party {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const addresses = [request.socket.remoteAddress ?? '', ...forwarded.reverse().map((address) => address.trim())];
  const address = addresses.slice(0, trustedProxies + 1).findLast((address) => address !== '') ?? '';
  // The widest network: a client with many narrow ones is still one party.
  return `address ${clientNetworks(address).at(-1)}`;
}
