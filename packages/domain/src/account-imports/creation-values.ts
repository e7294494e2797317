import { randomInt } from 'node:crypto';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { dayIn } from '../dates.ts';
import type { AccountKey } from '../derived-id.ts';
import { processLockKey, processSlotKey } from './process-locks.ts';

/** A request with the key of its account. */
export interface Creation extends AccountKey {
  operations_team_name: string;
  /** The transaction holds one of its import supplier's slots for it. */
  has_slot?: boolean;
}

/** What both statements take of a creation, with a number drawn for the account. */
export function creationValues(context: Context, creation: Creation) {
  return {
    ...auditValues(context, creation.id),
    ...creation,
    service_account_number: randomServiceAccountNumber(),
    account_lock: processLockKey(creation.id),
    first_slot: processSlotKey(creation.import_supplier_code),
    today: dayIn(context.timeZone, context.clock()),
  };
}

// No I, L, O or U: people read the number out on the telephone (behaviour 2.1).
const NUMBER_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomServiceAccountNumber(): string {
  const characters = Array.from({ length: 8 }, () => NUMBER_ALPHABET[randomInt(NUMBER_ALPHABET.length)]);
  return `A-${characters.join('')}`;
}
