import type { AuditEvent, StaffAccountImportDetail } from '@causeway/contracts';
import type { SupplierAccess } from './import-account-data.ts';
import { importNotes, importPaymentInstruction, importStatements, importTransactions } from './import-account-data.ts';
import { penceOf, sumOf } from './money.ts';
import type { ImportedKind, Outcome } from './outcome.ts';

/** What the service is asked again with: the supplier's access, and the service team's view of an account. */
export interface AskContext extends SupplierAccess {
  /** Of the key that this run moves the book with: what it added is new. */
  apiKeyId: string;
  viewAccount(externalAccountNumber: string): Promise<Pick<StaffAccountImportDetail, 'payload' | 'audit_trail'>>;
}

/** What an account has, as the service says; `added` is what its audit trail says that this run added. */
export interface HeldAccount {
  added: Record<'accounts' | ImportedKind, number>;
  /** Carried over; absent where the staged payload that names it is removed by now. */
  balance?: number;
  notes: number;
  transactions: { type: string; pence: number }[];
  /** In pence, each. */
  statements: number[];
  paymentInstruction: number;
}

/**
 * Reads back what the service holds of an account that it lists as imported. No endpoint lists what belongs to an
 * account, but an import that is repeated says what is there already: each note and transaction by itself, with the
 * amount as stored; statements and the payment instruction by taking them once more, which it does of equal ones only.
 * Those two answer alike when they add something, so they count if the audit trail told of them before. Only what was
 * accepted is sent again: nothing can be added by asking. Throws an Error for an answer that should not have been
 * given.
 */
export async function askAgain(context: AskContext, outcome: Outcome): Promise<HeldAccount> {
  const { account } = outcome;
  const { payload, audit_trail } = await context.viewAccount(account.externalAccountNumber);
  const before = addedBy(audit_trail);
  const has = (kind: ImportedKind) => outcome[kind].stored > 0;
  const notes = has('notes') ? await importNotes(context, account) : [];
  const transactions = has('transactions') ? await importTransactions(context, account) : [];
  const statements = has('statements') ? await importStatements(context, account) : [];
  const instruction = has('paymentInstruction') ? account.paymentInstruction : undefined;
  const instructed = instruction && (await importPaymentInstruction(context, account, instruction));
  return {
    added: addedBy(audit_trail.filter(({ api_key_id }) => api_key_id === context.apiKeyId)),
    ...(payload && { balance: penceOf(String(payload.transfer_balance ?? '0.00')) }),
    notes: notes.filter(({ status }) => status === 'NOTE_ALREADY_EXISTS').length,
    transactions: transactions
      .filter(({ status }) => status === 'TRANSACTION_ALREADY_EXISTS')
      .map(({ transaction_data: { type, amount } }) => ({ type, pence: penceOf(amount) })),
    statements:
      before.statements < statements.length ? [] : statements.map(({ gross_amount }) => penceOf(String(gross_amount))),
    paymentInstruction: before.paymentInstruction > 0 && instructed?.status === 201 ? 1 : 0,
  };
}

function addedBy(events: readonly AuditEvent[]): HeldAccount['added'] {
  const sum = (wanted: string, countOf: (detail: AuditEvent['detail']) => unknown = () => 1) =>
    sumOf(events.filter(({ action }) => action === wanted).map(({ detail }) => Number(countOf(detail))));
  return {
    accounts: sum('processed'),
    notes: sum('notes_imported', (detail) => detail?.notes),
    transactions: sum('transactions_imported', (detail) => detail?.transactions),
    statements: sum('statements_imported', (detail) => detail?.statements),
    paymentInstruction: sum('payment_instruction_imported'),
  };
}
