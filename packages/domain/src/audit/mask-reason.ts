import { MASK } from '@causeway/contracts';

/** What is looked at of an event of any audit trail. */
interface MaskableEvent {
  subject: string;
  action: string;
  detail: unknown;
}

/** Details of an event without what an erasure of its account blanks: the reason, in words of the service team. */
export function maskReason({ subject, action, detail }: MaskableEvent): Record<string, unknown> | null {
  const details = detail as Record<string, unknown> | null;
  const isKept = subject !== 'account_import' || action === 'erased' || details?.reason === undefined;
  return isKept ? details : { ...details, reason: MASK };
}
