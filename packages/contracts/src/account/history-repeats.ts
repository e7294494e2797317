import { unequalRepeats } from '../repeats.ts';
import type { Rule } from '../rules.ts';

interface Ledgers {
  ledgers?:
    | {
        current_statement_transactions?: object[] | undefined;
        historical_statement_transactions?: object[] | undefined;
      }[]
    | undefined;
}

interface Notes {
  notes?: { is_pinned?: boolean | undefined; is_archived?: boolean | undefined }[] | undefined;
}

/** As `repeatsAreEqual`, for notes that have an `external_id`: a field that was not sent counts with its default. */
export const repeatedNotesAreEqual: Rule<Notes> = {
  reads: ['notes'],
  check: ({ notes = [] }, faults) => {
    // Defaults come last, so that the first field in which two notes differ is one that was sent, where there is one.
    // An item that is no object is at fault, and not compared.
    const asStored = notes.map((note: (typeof notes)[number] | null) => ({
      ...note,
      is_pinned: note?.is_pinned ?? false,
      is_archived: note?.is_archived ?? false,
    }));
    return unequalRepeats(asStored, { identifier: 'external_id', path: ['notes'], faults });
  },
};

/** As `repeatsAreEqual`, in the other spelling of the lists. */
export const repeatsInLedgersAreEqual: Rule<Ledgers> = {
  reads: ['ledgers'],
  check: ({ ledgers = [] }, faults) =>
    ['current_statement_transactions' as const, 'historical_statement_transactions' as const].flatMap((list) =>
      unequalRepeats(ledgers[0]?.[list] ?? [], { identifier: 'transaction_id', path: ['ledgers', 0, list], faults }),
    ),
};
