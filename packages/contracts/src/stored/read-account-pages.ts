import { z } from 'zod';
import { AccountStatusRequest } from '../account-imports.ts';
import { optional } from '../field.ts';
import { lookupText } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { afterLast } from '../paging.ts';
import { StatementAsStored, StoredNote, StoredTransaction } from './account-data.ts';

const one = AccountStatusRequest.shape;
const exampleOne = { import_supplier_code: 'NORTHWIND-2026', external_account_number: 'NW-0001482' };
const limit = optional(
  wholeNumber(1, LIMITS.list),
  `The maximum number to return, 1 to ${limitText(LIMITS.list)}. A page ends earlier where its records are large. While there is more, a \`Link\` header has the next page; without that header, read on until a page is empty.`,
  500,
);

/** The request for the notes of an account (behaviour 4.16). */
export const ReadAccountNotesRequest = z
  .object({
    ...one,
    limit,
    after: afterLast(wholeNumber(0, Number.MAX_SAFE_INTEGER), '`position` of the last note', 500),
  })
  .meta({
    id: 'ReadAccountNotesRequest',
    description: 'Asks for the notes of one account, in the order in which they were added.',
    examples: [{ ...exampleOne, limit: 500 }],
  });
export type ReadAccountNotesRequest = z.infer<typeof ReadAccountNotesRequest>;

/** The request for the transactions of an account (behaviour 4.16). */
export const ReadAccountTransactionsRequest = z
  .object({
    ...one,
    limit,
    after: afterLast(lookupText(LIMITS.transaction_id), '`transaction_id` of the last transaction', 'T-20260405-77'),
    after_copy: optional(
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
      'The `copy` of that transaction, if it has one. Default: 1.',
      2,
    ),
  })
  .meta({
    id: 'ReadAccountTransactionsRequest',
    description: 'Asks for the transactions of one account, ordered by `transaction_id`.',
    examples: [{ ...exampleOne, limit: 500 }],
  });
export type ReadAccountTransactionsRequest = z.infer<typeof ReadAccountTransactionsRequest>;

/** The request for the historical statements of an account (behaviour 4.16). */
export const ReadAccountStatementsRequest = z
  .object({
    ...one,
    limit,
    after: afterLast(lookupText(LIMITS.name), '`statement_id` of the last statement', 'ST-2026-01-0001482'),
  })
  .meta({
    id: 'ReadAccountStatementsRequest',
    description: 'Asks for the historical statements of one account, ordered by `statement_id`.',
    examples: [{ ...exampleOne, limit: 500 }],
  });
export type ReadAccountStatementsRequest = z.infer<typeof ReadAccountStatementsRequest>;

const listOf = <Item extends z.ZodType>(item: Item, id: string, description: string) =>
  z.array(item).meta({ id, description, examples: [item.meta()?.examples ?? []] });

export const ReadAccountNotesResponse = listOf(
  StoredNote,
  'ReadAccountNotesResponse',
  'The notes, in the order in which they were added.',
);

export const ReadAccountTransactionsResponse = listOf(
  StoredTransaction,
  'ReadAccountTransactionsResponse',
  'The transactions, ordered by `transaction_id`.',
);

export const ReadAccountStatementsResponse = listOf(
  StatementAsStored,
  'ReadAccountStatementsResponse',
  'The historical statements, ordered by `statement_id`.',
);
