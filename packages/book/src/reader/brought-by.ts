import { ImportPaymentInstructionRequest, sentInstructions } from '@causeway/contracts';
import type { Brought, BroughtRecords } from './checked-line.ts';
import { isFields } from './line-fields.ts';

type Fields = Record<string, unknown>;

const LISTS_OF_LEDGER = ['current_statement_transactions', 'historical_statement_transactions'] as const;

/** What an account was to bring, valid or not, wherever it or its line has it. */
export function broughtBy(...places: Fields[]): Brought {
  const ledgers = places.flatMap(({ ledgers }) => (Array.isArray(ledgers) ? ledgers : itemsOf(ledgers).map(() => '')));
  const itemsIn = (name: string, of = places) => of.flatMap((place) => itemsOf(place[name]));
  const read = ledgers.filter((ledger) => isFields(ledger) && LISTS_OF_LEDGER.some((name) => name in ledger));
  const transactions = [
    ...itemsIn('transactions'),
    ...itemsIn('historical_transactions'),
    ...LISTS_OF_LEDGER.flatMap((name) => itemsIn(name, read)),
    // Nobody knows what is in the others.
    ...ledgers.filter((ledger) => !read.includes(ledger)),
  ];
  return {
    notes: recordsOf(itemsIn('notes'), ['body', 'external_id']),
    transactions: recordsOf(transactions, ['transaction_id']),
    statements: recordsOf(itemsIn('statements'), ['statement_id']),
    types: typesOf([...itemsIn('payment_instruction'), ...itemsIn('payment_instructions')]),
  };
}

/** The types of the payment instructions of a line, in their order; undefined for one that is no type. */
export function typesIn(history: Fields): (string | undefined)[] {
  return typesOf(sentInstructions(history).map(({ sent }) => sent));
}

function typesOf(instructions: readonly unknown[]): (string | undefined)[] {
  const { type } = ImportPaymentInstructionRequest.shape;
  return instructions.map((instruction) => type.safeParse(Object(instruction).type).data);
}

function recordsOf(items: readonly unknown[], identifiers: readonly string[]): BroughtRecords {
  const isName = (value: unknown) => typeof value === 'string' && value !== '';
  const names = items.map((item) => identifiers.map((name) => Object(item)[name]).filter(isName));
  return {
    names: names.filter(({ length }) => length > 0),
    unnamed: names.filter(({ length }) => length === 0).length,
  };
}

/** What is no list counts as one, unless it is empty. */
function itemsOf(sent: unknown): readonly unknown[] {
  if (Array.isArray(sent)) return sent;
  const isEmpty = sent === undefined || sent === null || sent === '' || (isFields(sent) && isEmptyObject(sent));
  return isEmpty ? [] : [sent];
}

const isEmptyObject = (fields: Fields) => Object.keys(fields).length === 0;
