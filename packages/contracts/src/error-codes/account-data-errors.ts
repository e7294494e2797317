import type { ErrorRow } from './error-row.ts';

const OUTSIDE_PERIOD =
  'Transaction T-20260131-08 of 2026-01-31 is not within the open statement period (2026-03-01 to 2026-04-17).';

/** Refusals of data for an account: transactions, statements, the payment instruction. */
export const ACCOUNT_DATA_ERRORS = {
  transaction_outside_open_statement_period: {
    status: 400,
    when: 'The date of a transaction is outside the open statement period and `force_add_to_current_statement` is false; nothing was added.',
    cause: 'It is dated in a period that was already billed, or in the future.',
    remedy: 'Correct its date, leave it out, or send `force_add_to_current_statement=true` to move it.',
    example: {
      detail: OUTSIDE_PERIOD,
      errors: 'transactions.0.transaction_date',
      extra: {
        transaction_data: {
          transaction_id: 'T-20260131-08',
          transaction_date: '2026-01-31',
          type: 'CHARGE',
          amount: '12.30',
          reason: 'IMPORTED_CHARGE',
        },
        error_detail: OUTSIDE_PERIOD,
        status: 'TRANSACTION_IMPORT_ERROR',
      },
    },
  },
  historical_statement_already_exists: {
    status: 400,
    when: 'A statement with this `statement_id` but other values was imported before; nothing was stored.',
    cause: 'Two statements have the same id, or one was corrected after it was imported.',
    remedy: 'Give each statement its own id; ask the service team to correct a stored statement.',
    example: {
      detail:
        'The account has a statement ST-2026-01-0001482 with other values: it was not changed. See “How to write a cancelled statement” in the guide.',
      errors: 'statements.0.statement_id',
    },
  },
  payment_instruction_already_active: {
    status: 400,
    when: 'A different payment instruction of this `type` is active on the account.',
    cause: 'Another instruction of this type was imported for this account before.',
    remedy: 'Keep the active one, or replace it: send its reference as `supersedes` with the new one.',
    example: {
      detail:
        'The account has another payment instruction of the type CARD, which is active. To replace it, send its reference as `supersedes`.',
      errors: 'reference',
    },
  },
  payment_instruction_superseded: {
    status: 400,
    when: 'This payment instruction was active on the account until another one superseded it; nothing was changed.',
    cause: 'A request was sent again after a later one had replaced its instruction.',
    remedy: 'Leave it out. To collect by it again, have its vendor issue a new reference, and send that.',
    example: {
      detail: 'Another payment instruction of the type CARD has superseded this one, which is not active again.',
      errors: 'reference',
    },
  },
  supersedes_no_active_instruction: {
    status: 400,
    when: 'No payment instruction of this `type` with the reference that `supersedes` names is active; nothing was changed.',
    cause:
      'A misspelt reference or another `type`; or the account is new, or another instruction has superseded that one meanwhile.',
    remedy:
      'Read the payment instructions of the account, and send the reference of the active one. If the type has no active one, leave `supersedes` out.',
    example: {
      detail:
        'The account has no active payment instruction of the type CARD with the reference that supersedes names.',
      errors: 'supersedes',
    },
  },
  payment_instruction_not_found: {
    status: 404,
    when: 'The account has no payment instruction, or none of the `type` that was asked for.',
    cause: 'None was imported, or its import was refused, or the account is only staged.',
    remedy: 'Import the payment instruction if the account should have one.',
    example: { detail: 'The account NW-0001483 has no payment instruction.', errors: 'external_account_number' },
  },
  payment_vendor_rejected: {
    status: 400,
    when: 'The payment vendor does not know the instruction or cannot use it; do not send the same request again.',
    cause: 'A misspelt `reference` or `type`, or an instruction that its vendor has cancelled.',
    remedy: 'Look up the instruction with its vendor, then send the correct one.',
    example: { detail: 'STRIPE has no payment instruction with this reference.', errors: 'reference' },
  },
  payment_vendor_unavailable: {
    status: 500,
    when: 'The payment vendor could not be reached or gave no usable answer; retry the same request.',
    cause:
      'A failure of the vendor, or of the connection to it. Nothing was stored: the account has this problem until it is.',
    remedy: 'Send the same request again, with a pause that grows with each attempt.',
    example: {
      detail: 'STRIPE could not be asked about this payment instruction now. Send the same request again later.',
    },
  },
} as const satisfies Record<string, ErrorRow>;
