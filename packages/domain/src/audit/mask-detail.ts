import { MASK } from '@causeway/contracts';
import { withoutMadeUpNames } from '../refusals/without-made-up-names.ts';

/** What is looked at of an event of any audit trail. */
interface MaskableEvent {
  subject: string;
  action: string;
  detail: unknown;
}

/**
 * Details of an event without what an erasure of its account blanks, the reason in words of the service team, and without
 * names that are not documented.
 */
export function maskDetail({ subject, action, detail }: MaskableEvent): Record<string, unknown> | null {
  const details = detail as Record<string, unknown> | null;
  if (subject !== 'account_import' || action === 'erased' || details === null) return details;
  return { ...withoutMadeUpNames(details), ...('reason' in details && { reason: MASK }) };
}
