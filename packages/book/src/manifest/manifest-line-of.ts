import type { Note } from '@causeway/contracts';
import { historyOfAccount, pathBelowRoot } from '@causeway/contracts';
import { exact, exactText } from '@causeway/rules';
import { figuresOfLine } from '../figures/figures-of-line.ts';
import { fingerprint } from '../figures/fingerprint.ts';
import type { AccountLine } from '../reader/checked-line.ts';
import { claimsOf, type LineClaims } from './manifest-figures.ts';

/** Pence in a pound. */
const MINOR_UNITS = 100n;

/**
 * The line of a manifest that a line of a book would fulfil, for a manifest that is `computed_from_book`. Notes are not
 * claimed if two of them may be the same: which of them an import leaves out is for the service to decide.
 */
export function manifestLineOf(line: AccountLine, statementAmountUnit: 'MAJOR' | 'MINOR' = 'MAJOR'): LineClaims {
  const { request } = line.account;
  const { notes, statements_gross, ...figures } = figuresOfLine(line);
  const history = historyOfAccount(request);
  return claimsOf({
    external_account_number: request.external_account_number,
    transfer_balance: request.transfer_balance ?? '0.00',
    ...figures,
    ...(areDistinct(history.notes) && { notes }),
    statements_gross: statementAmountUnit === 'MAJOR' ? statements_gross : inPounds(statements_gross),
    payment_instruction: history.payment_instructions.length > 0,
    fingerprint: fingerprint(line),
  });
}

const inPounds = (pence: string) => exactText((exact(pence) ?? 0n) / MINOR_UNITS);

function areDistinct(notes: readonly Note[]): boolean {
  const ids = notes.flatMap(({ external_id }) => external_id ?? []);
  const texts = notes.map(({ body, document_paths }) =>
    JSON.stringify([body, document_paths?.map(({ document_path }) => pathBelowRoot(document_path))]),
  );
  return new Set(ids).size === ids.length && new Set(texts).size === texts.length;
}
