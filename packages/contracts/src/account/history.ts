import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { documented, optional } from '../field.ts';
import { LIMITS, limitText } from '../limits.ts';
import { Note } from '../notes.ts';
import { ImportPaymentInstructionRequest } from '../payment-instructions.ts';
import { exampleStatement, Statement } from '../statements.ts';
import { historicalTransactions, Ledger, lastStatementBalance, openTransactions } from './ledger.ts';

const { vendor, reference, type, supersedes } = ImportPaymentInstructionRequest.shape;
const exampleInstruction = { vendor: 'STRIPE', reference: 'pm_1NqkLXJ2eZvKYlo2', type: 'CARD' };

/** A payment instruction in the account's payload: that of behaviour 4.7. */
export const AccountPaymentInstruction = z
  .object({ vendor, reference, type, supersedes })
  .apply(
    documented,
    'AccountPaymentInstruction',
    'A payment instruction of the account. Its vendor is asked when the account is created; if the vendor refuses it, no account is created. A new account has no instruction that another one could supersede: only one that is added to an account that exists has `supersedes`.',
    'supersedes',
  );
export type AccountPaymentInstruction = z.infer<typeof AccountPaymentInstruction>;

/** The payment instructions of an account or of a line. */
export const instructionFields = {
  payment_instruction: AccountPaymentInstruction.optional(),
  payment_instructions: optional(
    list(AccountPaymentInstruction, LIMITS.payment_instructions),
    `The payment instructions, one of each type, up to ${limitText(LIMITS.payment_instructions)}. The list excludes \`payment_instruction\`, which takes one.`,
    [exampleInstruction, { ...exampleInstruction, reference: 'pm_1NqkLXJ2eZvKYlo3', type: 'DIRECT_DEBIT' }],
  ),
};

/**
 * The history of an account, which is created with it, all or nothing (behaviour 4.17). All of it is ours: the
 * specification has separate calls for it, and they stay.
 */
export const historyFields = {
  notes: optional(
    list(Note, LIMITS.notes),
    `The notes of the account, up to ${limitText(LIMITS.notes)}, as in the notes import. They are added when the account is created.`,
    [{ body: 'Customer asked for a paper bill.', created_at: '2025-11-20T10:15:00Z' }],
  ),
  transactions: openTransactions.optional(),
  historical_transactions: historicalTransactions.optional(),
  last_statement_balance: lastStatementBalance.optional(),
  ledgers: optional(
    list(Ledger, LIMITS.nested),
    'Another spelling of `transactions`, `historical_transactions` and `last_statement_balance`: one ledger, which excludes the three.',
    [{ last_statement_balance: '28.34' }],
  ),
  statements: optional(
    list(Statement, LIMITS.statements),
    `The statements that you have issued, up to ${limitText(LIMITS.statements)}, as in the statements import. They are added when the account is created.`,
    [exampleStatement],
  ),
  ...instructionFields,
};
