import {
  AccountStatusResponse,
  ImportNotesResponse,
  ImportPaymentInstructionResponse,
  ImportStatementsResponse,
  ImportTransactionsResponse,
  ProcessAccountResponse,
  StageAccountResponse,
  TransactionImportErrorBody,
} from '@causeway/contracts';
import { bodyOf, expectedRefusalOf, unexpected } from './answers.ts';
import type { SampleAccount } from './book/sample-book.ts';
import { penceOf } from './money.ts';
import { type Fates, neverSent, type Outcome } from './outcome.ts';
import { type Answer, codeOf, type RestClient } from './rest-client.ts';

/** The way accounts travel: the public interface, and the service team's desk for those to be skipped. */
export interface Road {
  client: RestClient;
  importSupplier: string;
  skipAccount(externalAccountNumber: string, reason: string): Promise<void>;
}

/**
 * Moves one account: validate, stage, dry run, process, then what belongs to it, then its status (specification 4.1 to
 * 4.8). Moving it again changes nothing. An answer that should not have been given becomes `problem`; nothing is thrown.
 */
export async function moveAccount(road: Road, account: SampleAccount): Promise<Outcome> {
  const outcome: Outcome = { account, fate: 'unexpected', ...neverSent(account) };
  try {
    Object.assign(outcome, await createAccount(road, account));
    if (outcome.fate === 'refused') return outcome;
    outcome.notes = await sendNotes(road, account);
    Object.assign(outcome, await sendTransactions(road, account));
    outcome.statements = await sendStatements(road, account);
    outcome.paymentInstruction = await sendPaymentInstruction(road, account);
    await checkStatus(road, account, outcome.serviceAccountNumber);
  } catch (error) {
    outcome.problem = `${account.externalAccountNumber}: ${error instanceof Error ? error.message : error}`;
  }
  return outcome;
}

type Creation = Pick<Outcome, 'fate' | 'serviceAccountNumber' | 'refusal'>;

async function createAccount({ client, skipAccount, importSupplier }: Road, account: SampleAccount): Promise<Creation> {
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

async function sendNotes({ client, importSupplier }: Road, account: SampleAccount): Promise<Fates> {
  const { notes } = account;
  const answer = await client.post('notes/create/', { ...addressOf(importSupplier, account), notes });
  const results = bodyOf(answer, 201, ImportNotesResponse);
  if (results.length !== notes.length) throw unexpected(answer, `${notes.length} notes were sent`);
  const added = results.filter(({ status }) => status === 'NOTE_CREATION_SUCCESS').length;
  return { stored: results.length, added, refused: 0 };
}

async function sendTransactions({ client, importSupplier }: Road, account: SampleAccount) {
  const { transactions, mayMoveTransactions } = account;
  const path = `transactions/create/${mayMoveTransactions ? '' : '?force_add_to_current_statement=false'}`;
  const answer = await client.post(path, { ...addressOf(importSupplier, account), transactions });
  if (!mayMoveTransactions) {
    const { status } = bodyOf(answer, 400, TransactionImportErrorBody);
    return { transactions: { stored: 0, refused: transactions.length, refusal: status } };
  }
  const { results } = bodyOf(answer, 201, ImportTransactionsResponse);
  const sums = [
    transactions.map(({ amount }) => amount),
    results.map(({ transaction_data }) => transaction_data.amount),
  ];
  const [sent, kept] = sums.map((amounts) => amounts.map((amount) => penceOf(String(amount))).join());
  if (sent !== kept) throw unexpected(answer, 'its amounts are not those sent');
  const added = results.filter(({ status }) => status === 'TRANSACTION_ADDED_TO_ACCOUNT').length;
  const movedTransactions = results.filter(({ transaction_data }) => transaction_data.description !== undefined).length;
  return { transactions: { stored: results.length, added, refused: 0 }, movedTransactions };
}

async function sendStatements({ client, importSupplier }: Road, account: SampleAccount): Promise<Fates> {
  const { statements } = account;
  const path = 'historical-statements/create/';
  const answer = await client.post(path, { ...addressOf(importSupplier, account), statements });
  bodyOf(answer, 201, ImportStatementsResponse);
  return { stored: statements.length, refused: 0 };
}

async function sendPaymentInstruction({ client, importSupplier }: Road, account: SampleAccount): Promise<Fates> {
  const { paymentInstruction, expectedInstructionRefusal } = account;
  if (!paymentInstruction) return { stored: 0, refused: 0 };
  const body = { ...addressOf(importSupplier, account), ...paymentInstruction };
  const answer = await client.post('payment-instruction/create/', body);
  if (answer.status !== 201) {
    return { stored: 0, refused: 1, refusal: expectedRefusalOf(answer, expectedInstructionRefusal) };
  }
  bodyOf(answer, 201, ImportPaymentInstructionResponse);
  if (expectedInstructionRefusal) throw unexpected(answer, `expected was ${expectedInstructionRefusal}`);
  return { stored: 1, refused: 0 };
}

async function checkStatus({ client, importSupplier }: Road, account: SampleAccount, serviceAccountNumber?: string) {
  const path = `account-transfer-status/${importSupplier}/${encodeURIComponent(account.externalAccountNumber)}/`;
  const answer = await client.get(path);
  const { status, service_account_number } = bodyOf(answer, 200, AccountStatusResponse);
  const isDone = status === 'COMPLETED' && service_account_number === serviceAccountNumber;
  if (!isDone) throw unexpected(answer, `expected was COMPLETED with ${serviceAccountNumber}`);
}

function addressOf(importSupplier: string, { externalAccountNumber }: SampleAccount) {
  return { import_supplier: importSupplier, external_account_number: externalAccountNumber };
}
