import type { Context } from './context.ts';
import { DomainError } from './errors.ts';

const READ_IT_MASKED = 'This key may only read, and is not shown personal data: read it masked, or with another key.';

/** Whether the caller's key is one of the service team that may only read, and is shown no personal data. */
export function mayOnlyRead({ actor }: Context): boolean {
  return actor.kind === 'staff' && actor.isReadOnly === true;
}

/** Refuses to show personal data to a key that may only read (`permission_denied`, behaviour 14.3.5). */
export function refuseReadOnly(context: Context, detail = READ_IT_MASKED): void {
  if (mayOnlyRead(context)) throw new DomainError('permission_denied', detail);
}
