import {
  AccountStatusResponse,
  ProcessAccountResponse,
  StageAccountResponse,
  TransactionImportErrorBody,
} from '@causeway/contracts';
import type { SampleAccount } from '@causeway/realistic-books';
import { type Answer, codeOf } from '@causeway/rest-client';
import { bodyOf, expectedRefusalOf, unexpected } from './answers.ts';
import {
  importNotes,
  importPaymentInstruction,
  importStatements,
  importTransactions,
  importUnmovableTransactions,
  type SupplierAccess,
} from './import-account-data.ts';
import { createdWith, type KindOutcome, neverSent, type Outcome } from './outcome.ts';

/** What an account is moved with: the supplier's access, and the service team's for those to be skipped. */
export interface MoveContext extends SupplierAccess {
  skipAccount(externalAccountNumber: string, reason: string): Promise<void>;
}

/**
 * Moves one account: validate, stage, dry run, process, then what belongs to it unless the account carries it, then its
 * status (behaviour 4.1 to 4.8, 4.17). Moving it again changes nothing. An answer that should not have been given
 * becomes `problem`; nothing is thrown.
 */
export async function moveAccount(context: MoveContext, account: SampleAccount): Promise<Outcome> {
  const outcome: Outcome = { account, fate: 'unexpected', ...neverSent(account) };
  try {
    Object.assign(outcome, await createAccount(context, account));
    if (outcome.fate === 'refused') return outcome;
    if (account.expected) Object.assign(outcome, createdWith(account, outcome.fate === 'added'));
    else await sendHistory(context, outcome);
    await checkStatus(context, account, outcome.serviceAccountNumber);
  } catch (error) {
    outcome.problem = `${account.externalAccountNumber}: ${error instanceof Error ? error.message : error}`;
  }
  return outcome;
}

type Creation = Pick<Outcome, 'fate' | 'serviceAccountNumber' | 'refusal'>;

async function createAccount(
  { client, skipAccount, importSupplier }: MoveContext,
  account: SampleAccount,
): Promise<Creation> {
  const { externalAccountNumber, payload, expectedRefusal } = account;
  const refused = (answer: Answer): Creation => ({
    fate: 'refused',
    refusal: expectedRefusalOf(answer, expectedRefusal),
  });

  const validated = await client.post('validate-account/', payload);
  if (validated.status !== 200) return refused(validated);

  const staged = await client.post('account-import-process/create-or-update/', payload);
  const isImported = codeOf(staged) === 'account_import_process_already_imported';
  if (staged.status === 400 && !isImported) return refused(staged);
  if (!isImported) bodyOf(staged, staged.status === 200 ? 200 : 201, StageAccountResponse);
  if (account.skipReason && !isImported) await skipAccount(externalAccountNumber, account.skipReason);

  const process = {
    external_account_number: externalAccountNumber,
    import_supplier_code: importSupplier,
    operations_team_name: account.teamName,
  };
  const path = 'account-import-process/process/';
  if (!isImported) {
    const rehearsed = await client.post(path, { ...process, dry_run: true });
    if (codeOf(rehearsed) !== 'dry_run_rolled_back') return refused(rehearsed);
  }
  const processed = await client.post(path, process);
  const wasImported = codeOf(processed) === 'account_import_process_already_imported';
  if (processed.status !== 201 && !wasImported) return refused(processed);
  if (expectedRefusal) throw unexpected(processed, `expected was ${expectedRefusal}`);
  const { service_account_number } = bodyOf(processed, wasImported ? 400 : 201, ProcessAccountResponse);
  return { fate: wasImported ? 'existing' : 'added', serviceAccountNumber: service_account_number };
}

/** What has been sent is in the outcome, also when what follows fails. */
async function sendHistory(context: MoveContext, outcome: Outcome): Promise<void> {
  const { account } = outcome;
  outcome.notes = await sendNotes(context, account);
  Object.assign(outcome, await sendTransactions(context, account));
  outcome.statements = await sendStatements(context, account);
  outcome.paymentInstruction = await sendPaymentInstruction(context, account);
}

async function sendNotes(context: MoveContext, account: SampleAccount): Promise<KindOutcome> {
  const results = await importNotes(context, account);
  const added = results.filter(({ status }) => status === 'NOTE_CREATION_SUCCESS').length;
  return { stored: results.length, added, refused: 0 };
}

async function sendTransactions(context: MoveContext, account: SampleAccount) {
  const { transactions, mayMoveTransactions } = account;
  if (!mayMoveTransactions) {
    const answer = await importUnmovableTransactions(context, account);
    const { status } = bodyOf(answer, 400, TransactionImportErrorBody);
    return { transactions: { stored: 0, refused: transactions.length, refusal: status } };
  }
  const results = await importTransactions(context, account);
  const added = results.filter(({ status }) => status === 'TRANSACTION_ADDED_TO_ACCOUNT').length;
  const movedTransactions = results.filter(({ transaction_data }) => transaction_data.description !== undefined).length;
  return { transactions: { stored: results.length, added, refused: 0 }, movedTransactions };
}

async function sendStatements(context: MoveContext, account: SampleAccount): Promise<KindOutcome> {
  const statements = await importStatements(context, account);
  return { stored: statements.length, refused: 0 };
}

async function sendPaymentInstruction(context: MoveContext, account: SampleAccount): Promise<KindOutcome> {
  const { paymentInstruction, expectedInstructionRefusal } = account;
  if (!paymentInstruction) return { stored: 0, refused: 0 };
  const answer = await importPaymentInstruction(context, account, paymentInstruction);
  if (answer.status !== 201) {
    return { stored: 0, refused: 1, refusal: expectedRefusalOf(answer, expectedInstructionRefusal) };
  }
  if (expectedInstructionRefusal) throw unexpected(answer, `expected was ${expectedInstructionRefusal}`);
  return { stored: 1, refused: 0 };
}

async function checkStatus(
  { client, importSupplier }: MoveContext,
  account: SampleAccount,
  serviceAccountNumber?: string,
) {
  const path = `account-transfer-status/${importSupplier}/${encodeURIComponent(account.externalAccountNumber)}/`;
  const answer = await client.get(path);
  const { status, service_account_number } = bodyOf(answer, 200, AccountStatusResponse);
  const isDone = status === 'COMPLETED' && service_account_number === serviceAccountNumber;
  if (!isDone) throw unexpected(answer, `expected was COMPLETED with ${serviceAccountNumber}`);
}
