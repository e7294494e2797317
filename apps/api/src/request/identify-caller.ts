import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Actor } from '@causeway/domain';
import type { Admission } from '../overload/admission.ts';
import type { Parties } from '../overload/parties.ts';
import type { Authenticator } from './authenticate.ts';
import { requestFacts } from './request-facts.ts';
import { WireRefusal } from './wire-refusal.ts';

interface CallerDependencies {
  authenticator: Authenticator;
  admission: Admission;
  parties: Parties;
}

/**
 * Notes whose request it is, and throws if nobody's; if its party holds too much; or if it could change something and
 * its key may only read (behaviour 14.3.5), whatever is behind the address.
 */
export function identifyCallerWith({ authenticator, admission, parties }: CallerDependencies) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const actor = await authenticator.authenticate(request.headers.authorization);
    const facts = requestFacts(response);
    const party = parties.remember(request, actor);
    // Authenticated only now: it was admitted under another party.
    const overload = party === facts.party ? undefined : admission.overload(party);
    Object.assign(facts, { actor, party });
    if (overload !== undefined) throw overload;
    if (mayOnlyRead(actor) && !['GET', 'HEAD'].includes(request.method ?? '')) {
      throw new WireRefusal('permission_denied', 'This key may only read: it changes nothing.');
    }
  };
}

function mayOnlyRead(actor: Actor): boolean {
  return actor.kind === 'staff' && actor.isReadOnly === true;
}
