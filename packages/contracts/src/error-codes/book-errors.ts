import type { ErrorRow } from './error-row.ts';

/** Refusals of a line of a job, in addition to those of a call with the same data. */
export const BOOK_ERRORS = {
  line_too_long: {
    status: 400,
    when: 'A line of a book has more bytes than a request body may have, or a line of a manifest more than 16,384.',
    cause:
      'A line feed that is missing, or an account with a history that is too large for one line; in a manifest, white space.',
    remedy: 'Put each account on a line of its own; send the rest of a large history in later lines or calls.',
    example: { detail: 'The line is too long: the limit is 10,485,760 bytes.' },
  },
  duplicate_in_file: {
    status: 400,
    when: 'An earlier line of the same upload names the same account. Of a book, only the first of them is used; of a manifest, the part is refused.',
    cause: 'An account that was exported twice.',
    remedy:
      'Find out which of the lines is right. If both lines of a book are, send the second one in another upload, after the first; a manifest has one line for each account.',
    example: {
      detail: 'An earlier line of this book names the same account: send this one in another book, after it.',
      errors: 'external_account_number',
    },
  },
  account_exists_with_other_data: {
    status: 400,
    when: 'The account of the line exists already, and what the line says of it is not what is stored: `errors` names the fields. Nothing was changed.',
    cause: 'It was corrected after it was moved, or two accounts have the same number.',
    remedy:
      'Read back what is stored. If the line is right, ask the service team; otherwise leave it out. New history goes in a line without `account`.',
    example: {
      detail: 'The account exists already, with other values of transfer_balance. Nothing was changed.',
      errors: [
        {
          attr: 'transfer_balance',
          code: 'differs_from_stored',
          detail: 'The account has another value of this field.',
        },
      ],
    },
  },
  account_not_created_by_this_job: {
    status: 400,
    when: 'The undo of a bulk job keeps the account, because the job did not create it: it only added to it.',
    cause: 'A line with history for an account that existed already.',
    remedy: 'Undo the account itself, if all of it is to go.',
    example: { detail: 'This job did not create the account: what it added stays.', errors: 'external_account_number' },
  },
} as const satisfies Record<string, ErrorRow>;
