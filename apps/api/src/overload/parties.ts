import type { IncomingMessage } from 'node:http';
import type { Actor } from '@causeway/domain';
import { LRUCache } from 'lru-cache';
import { tokenIn } from '../request/authenticate.ts';
import type { Party } from '../request/request-facts.ts';
import { clientNetworks } from './client-network.ts';

const MAX_KNOWN = 10_000;
/** Of ours none is as long. */
const MAX_KNOWN_LENGTH = 1_024;

export interface Parties {
  /** Who sends this, as far as its head tells: whoever has been authenticated with its token before. */
  of(request: IncomingMessage): Party;
  /** Who sends this where nobody looks at its token. */
  ofAddress(request: IncomingMessage): Party;
  /** From now on the request's token stands for this caller, however it is written. */
  remember(request: IncomingMessage, actor: Actor): Party;
}

/** Tells parties apart before they are authenticated, without a look at the database or a signature. */
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

/** As Express has it with that many proxies in front. */
function addressOf(request: IncomingMessage, trustedProxies: number): Party {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const addresses = [request.socket.remoteAddress ?? '', ...forwarded.reverse().map((address) => address.trim())];
  const address = addresses.slice(0, trustedProxies + 1).findLast((address) => address !== '') ?? '';
  // The widest: to have many narrow ones must not count as being many.
  return `address ${clientNetworks(address).at(-1)}`;
}
