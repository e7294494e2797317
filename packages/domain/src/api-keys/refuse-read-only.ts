import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';

/** Refuses to show personal data to a key that may only read (`permission_denied`, behaviour 14.3.5). */
export function refuseReadOnly({ actor }: Context): void {
  if (actor.kind === 'staff' && actor.isReadOnly) {
    const detail = 'This key may only read, and is not shown personal data: read it masked, or with another key.';
    throw new DomainError('permission_denied', detail);
  }
}
