import { ImportPaymentInstructionRequest } from '@causeway/contracts';
import type { Brought } from './checked-line.ts';
import { isFields } from './line-fields.ts';

type Fields = Record<string, unknown>;

const LISTS_OF_LEDGER = ['current_statement_transactions', 'historical_statement_transactions'] as const;

/** What a line was to bring, valid or not, wherever its account or the line itself has it. */
export function broughtBy(line: Fields): Brought {
  const { account } = line;
  const places = isFields(account) ? [account, line] : [line];
  const itemsIn = (name: string, of: readonly Fields[] = places) => of.flatMap((place) => itemsOf(place[name]));
  const ledgers = itemsIn('ledgers');
  const inLedgers = ledgers.flatMap((ledger) => {
    if (!isFields(ledger)) return [ledger];
    const lists = LISTS_OF_LEDGER.filter((name) => name in ledger);
    if (lists.length > 0) return lists.flatMap((name) => itemsOf(ledger[name]));
    // What is in a list by another name is not known: something.
    return Object.values(ledger).some((value) => Object(value) === value && !isEmpty(value)) ? [ledger] : [];
  });
  const { type } = ImportPaymentInstructionRequest.shape;
  const instructions = [...itemsIn('payment_instruction'), ...itemsIn('payment_instructions')];
  return {
    account: account !== undefined && account !== null,
    notes: itemsIn('notes').length,
    transactions: [...itemsIn('transactions'), ...itemsIn('historical_transactions'), ...inLedgers].length,
    statements: itemsIn('statements').length,
    types: instructions.map((instruction) => type.safeParse(Object(instruction).type).data),
  };
}

/** What is no list counts as one, unless it is empty, or an object of empty fields (behaviour 2.2.14). */
function itemsOf(sent: unknown): readonly unknown[] {
  if (Array.isArray(sent)) return sent;
  return isEmpty(sent) ? [] : [sent];
}

function isEmpty(value: unknown): boolean {
  if (isFields(value)) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
