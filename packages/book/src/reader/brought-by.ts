import { ImportPaymentInstructionRequest } from '@causeway/contracts';
import type { Brought } from './checked-line.ts';
import { isFields } from './line-fields.ts';

type Fields = Record<string, unknown>;

/** What a line was to bring, valid or not, wherever its account or the line itself has it. */
export function broughtBy(line: Fields): Brought {
  const { account } = line;
  const places = isFields(account) ? [account, line] : [line];
  const itemsIn = (name: string, of: readonly Fields[] = places) => of.flatMap((place) => itemsOf(place[name]));
  const ledgers = itemsIn('ledgers');
  const inLedgers = ledgers.flatMap((ledger) => {
    if (!isFields(ledger)) return [ledger];
    const { current_statement_transactions, historical_statement_transactions, ...others } = ledger;
    const known = [current_statement_transactions, historical_statement_transactions].flatMap(itemsOf);
    // What is in a list by another name is not known: something.
    return hasList(others) ? [...known, others] : known;
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

function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isFields(value) && Object.values(value).some(hasList);
}

function isEmpty(value: unknown): boolean {
  if (isFields(value)) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
