import { DomainError } from './errors.ts';

/** The caller: an organisation's key or the service team's, which may be one that only reads. */
export type Actor =
  | { kind: 'organisation'; apiKeyId: string; organisationId: string }
  | { kind: 'staff'; apiKeyId: string; isReadOnly?: true };

const READ_IT_MASKED = 'A read-only key cannot see personal data: ask for it masked, or use another key.';

/** Whether the caller's key is one of the service team that may only read, and is shown no personal data. */
export function mayOnlyRead({ actor }: { actor: Actor }): boolean {
  return actor.kind === 'staff' && actor.isReadOnly === true;
}

/** Refuses to show personal data to a key that may only read (`permission_denied`, behaviour 14.3.5). */
export function refuseReadOnly(caller: { actor: Actor }, detail = READ_IT_MASKED): void {
  if (mayOnlyRead(caller)) throw new DomainError('permission_denied', detail);
}
