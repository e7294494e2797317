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
    const lists = isFields(ledger) ? LISTS_OF_LEDGER.filter((name) => name in ledger) : [];
    // Nobody knows what is in a ledger of another form: something.
    return lists.length > 0 ? lists.flatMap((name) => itemsOf((ledger as Fields)[name])) : [ledger];
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

/** What is no list counts as one, unless it is empty. */
function itemsOf(sent: unknown): readonly unknown[] {
  if (Array.isArray(sent)) return sent;
  const isEmpty = sent === undefined || sent === null || sent === '' || (isFields(sent) && isEmptyObject(sent));
  return isEmpty ? [] : [sent];
}

const isEmptyObject = (fields: Fields) => Object.keys(fields).length === 0;
