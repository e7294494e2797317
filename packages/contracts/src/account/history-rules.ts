import { repeatsAreEqual } from '../repeats.ts';
import type { Rule, Violation } from '../rules.ts';
import type { Transaction } from '../transactions.ts';
import { repeatedNotesAreEqual, repeatsInLedgersAreEqual } from './history-repeats.ts';
import type { Ledger } from './ledger.ts';

interface Spellings {
  transactions?: unknown[] | undefined;
  historical_transactions?: unknown[] | undefined;
  last_statement_balance?: number | string | undefined;
  ledgers?: Ledger[] | undefined;
}

interface Instructions {
  payment_instruction?: object | undefined;
  payment_instructions?: { type: string }[] | undefined;
}

const onlyOneLedger: Rule<Spellings> = {
  reads: ['ledgers'],
  check: ({ ledgers = [] }) =>
    ledgers.slice(1).map((_, index) => ({
      code: 'max_items' as const,
      path: ['ledgers', index + 1],
      detail: 'An account has one ledger: leave this one out.',
    })),
};

const oneOfEachType: Rule<Instructions> = {
  reads: ['payment_instructions.*.type'],
  check: ({ payment_instructions: all = [] }) =>
    all.flatMap(({ type }, index) => {
      const first = all.findIndex((one) => one.type === type);
      if (first === index) return [];
      const detail = `An account has one payment instruction of each type: payment_instructions.${first} is of the type ${type} too.`;
      return { code: 'max_items' as const, path: ['payment_instructions', index], detail };
    }),
};

const ledgerOrFields: Rule<Spellings> = {
  reads: ['ledgers', 'transactions', 'historical_transactions', 'last_statement_balance'],
  check: (account) => {
    if (account.ledgers === undefined || account.ledgers.length === 0) return undefined;
    const fields = ['transactions', 'historical_transactions', 'last_statement_balance'] as const;
    return fields.filter((name) => account[name] !== undefined).map((name) => spelledTwice(name, 'ledgers'));
  },
};

const instructionOrList: Rule<Instructions> = {
  reads: ['payment_instruction', 'payment_instructions'],
  check: ({ payment_instruction, payment_instructions = [] }) =>
    payment_instruction === undefined || payment_instructions.length === 0
      ? undefined
      : spelledTwice('payment_instruction', 'payment_instructions'),
};

function spelledTwice(name: string, other: string): Violation {
  return { code: 'history_spelled_twice', path: [name], detail: `Give either this field or ${other}, not both.` };
}

interface Billed {
  last_billed_to_date?: string | undefined;
  historical_transactions?: Transaction[] | undefined;
  ledgers?: Ledger[] | undefined;
}

const DATE = 'transaction_date';

/** Closed history was billed: it ends with the last day billed. */
const historyWasBilled: Rule<Billed> = {
  reads: [
    'last_billed_to_date',
    `historical_transactions.*.${DATE}`,
    `ledgers.*.historical_statement_transactions.*.${DATE}`,
  ],
  check: ({ last_billed_to_date, historical_transactions, ledgers }) => {
    if (last_billed_to_date === undefined) return undefined;
    const inLedger = ledgers?.[0]?.historical_statement_transactions;
    return [
      ...notBilled(historical_transactions, last_billed_to_date, ['historical_transactions']),
      ...notBilled(inLedger, last_billed_to_date, ['ledgers', 0, 'historical_statement_transactions']),
    ];
  },
};

function notBilled(transactions: Transaction[] = [], billedTo: string, path: (string | number)[]): Violation[] {
  return transactions.flatMap(({ transaction_date }, index) =>
    transaction_date > billedTo
      ? {
          code: 'historical_transaction_not_billed' as const,
          path: [...path, index, DATE],
          detail: 'Must not be after last_billed_to_date: what was not billed yet belongs to the open transactions.',
        }
      : [],
  );
}

interface Histories extends Billed {
  transactions?: Transaction[] | undefined;
}

const ID = 'transaction_id';

/** The account would have both, and a later import could not tell which one it repeats. */
const openOrClosed: Rule<Histories> = {
  reads: [
    ...([`transactions.*.${ID}`, `historical_transactions.*.${ID}`] as const),
    ...([`ledgers.*.current_statement_transactions.*.${ID}`] as const),
    ...([`ledgers.*.historical_statement_transactions.*.${ID}`] as const),
  ],
  check: ({ transactions, historical_transactions, ledgers }) => [
    ...inBoth(transactions, historical_transactions, ['transactions']),
    ...inBoth(ledgers?.[0]?.current_statement_transactions, ledgers?.[0]?.historical_statement_transactions, [
      ...['ledgers', 0, 'current_statement_transactions'],
    ]),
  ],
};

function inBoth(open: Transaction[] = [], closed: Transaction[] = [], path: (string | number)[]): Violation[] {
  if (open.length === 0 || closed.length === 0) return [];
  const ids = new Set(closed.map(({ transaction_id }) => transaction_id));
  return open.flatMap(({ transaction_id }, index) =>
    ids.has(transaction_id)
      ? {
          code: 'contradicts_another_field' as const,
          path: [...path, index, ID],
          detail: 'A historical transaction has the same identifier: a transaction is open or closed, not both.',
        }
      : [],
  );
}

/** The rules over the payment instructions of an account or of a line. */
export const instructionRules = [oneOfEachType, instructionOrList] as const;

/** The rules over the history of an account (behaviour 4.17). */
export const historyRules = [
  onlyOneLedger,
  ledgerOrFields,
  ...instructionRules,
  historyWasBilled,
  openOrClosed,
  repeatsAreEqual('transactions', 'transaction_id'),
  repeatsAreEqual('historical_transactions', 'transaction_id'),
  repeatsAreEqual('statements', 'statement_id'),
  repeatsInLedgersAreEqual,
  repeatedNotesAreEqual,
] as const;
