import { StoredAccount } from '@causeway/contracts';
import type { SampleAccount } from '@causeway/realistic-books';
import { bodyOf } from './answers.ts';
import { expectedLineOf } from './bulk/expected-line.ts';
import type { SupplierAccess } from './import-account-data.ts';
import { inParallel } from './in-parallel.ts';

interface Look extends SupplierAccess {
  inBulk: boolean;
  stop: AbortSignal;
}

/**
 * The accounts of the book that are stored with what the service refuses of the book: somebody has corrected and moved
 * them since an earlier run. They are left alone, and all others are judged as strictly as ever.
 */
export async function findMovedByHand(look: Look, book: Iterable<SampleAccount>): Promise<ReadonlySet<string>> {
  const faulty: SampleAccount[] = [];
  for (const account of book) if (hasFault(account)) faulty.push(account);
  const found = await inParallel(
    faulty,
    async (account) => {
      const { client, importSupplier, inBulk } = look;
      const answer = await client.get(
        `accounts/${importSupplier}/${encodeURIComponent(account.externalAccountNumber)}/`,
      );
      if (answer.status === 404) return [];
      const stored = bodyOf(answer, 200, StoredAccount);
      const isMended = inBulk ? isMendedInBulk(account, stored) : isMendedByCalls(account, stored);
      return isMended ? [account.externalAccountNumber] : [];
    },
    look,
  );
  return new Set(found.flat());
}

function hasFault({ expectedRefusal, expectedInstructionRefusal, mayMoveTransactions }: SampleAccount): boolean {
  return expectedRefusal !== undefined || expectedInstructionRefusal !== undefined || !mayMoveTransactions;
}

function isMendedByCalls(account: SampleAccount, { state, figures }: StoredAccount): boolean {
  const { expectedRefusal, expectedInstructionRefusal, mayMoveTransactions } = account;
  if (state !== 'COMPLETED') return false;
  return (
    expectedRefusal !== undefined ||
    (expectedInstructionRefusal !== undefined && figures.payment_instructions > 0) ||
    (!mayMoveTransactions && figures.transactions.count > 0)
  );
}

/** A line is refused with all that it has. */
function isMendedInBulk(account: SampleAccount, { state }: StoredAccount): boolean {
  return state === 'COMPLETED' && expectedLineOf(account).refusal !== undefined;
}

/** What a visitor is told of such accounts; `beginAgain` is what to do to begin again. */
export function movedByHandLines(movedByHand: ReadonlySet<string>, beginAgain: string): string[] {
  const [first] = movedByHand;
  if (first === undefined) return [];
  const [which, were, have, they] =
    movedByHand.size === 1
      ? [`1 account of the book, ${first},`, 'was', 'has', 'It stays as it is, and is']
      : [
          `${movedByHand.size} accounts of the book, such as ${first},`,
          'were',
          'have',
          'They stay as they are, and are',
        ];
  return [
    '',
    `  ${which} ${were} changed since an earlier run, and ${have} other content now.`,
    `  ${they} not counted. To begin again, end the demo and ${beginAgain}.`,
  ];
}

/** Where something does not add up, and this is not the first run: it may be no fault of the service. */
export function changedLines(beginAgain: string): string[] {
  return [
    '',
    '  Something was there from an earlier run: accounts of the book that were changed since do not add up.',
    `  To begin again, ${beginAgain}.`,
  ];
}
