import {
  ImportNotesResponse,
  ImportPaymentInstructionResponse,
  ImportStatementsResponse,
  ImportTransactionsResponse,
  type NoteResult,
  type Statement,
  type TransactionResult,
} from '@causeway/contracts';
import type { SampleAccount } from '@causeway/realistic-books';
import { penceOf } from '@causeway/realistic-books';
import type { Answer, RestClient } from '@causeway/rest-client';
import { bodyOf, unexpected } from './answers.ts';

/** What a supplier calls with. */
export interface SupplierAccess {
  client: Pick<RestClient, 'get' | 'post'>;
  importSupplier: string;
}

/** Sends the account's notes (behaviour 4.4): what happened to each. Throws an Error where they are refused. */
export async function importNotes(access: SupplierAccess, account: SampleAccount): Promise<NoteResult[]> {
  const { notes } = account;
  const answer = await post(access, account, { path: 'notes/create/', data: { notes } });
  const results = bodyOf(answer, 201, ImportNotesResponse);
  if (results.length !== notes.length) throw unexpected(answer, `${notes.length} notes were sent`);
  return results;
}

/** Sends the account's transactions (4.5), whose dates may be moved. Throws an Error unless each amount comes back. */
export async function importTransactions(access: SupplierAccess, account: SampleAccount): Promise<TransactionResult[]> {
  const { transactions } = account;
  const answer = await post(access, account, { path: 'transactions/create/', data: { transactions } });
  const { results } = bodyOf(answer, 201, ImportTransactionsResponse);
  const sums = [
    transactions.map(({ amount }) => amount),
    results.map(({ transaction_data }) => transaction_data.amount),
  ];
  const [sent, kept] = sums.map((amounts) => amounts.map((amount) => penceOf(String(amount))).join());
  if (sent !== kept) throw unexpected(answer, 'its amounts are not those sent');
  return results;
}

/** Sends the account's transactions, whose dates must not be moved: the answer, which is to be a refusal. */
export function importUnmovableTransactions(access: SupplierAccess, account: SampleAccount): Promise<Answer> {
  const { transactions } = account;
  return post(access, account, {
    path: 'transactions/create/?force_add_to_current_statement=false',
    data: { transactions },
  });
}

/** Sends the account's statements (4.6): those that it has now. Throws an Error where it has others of these ids. */
export async function importStatements(access: SupplierAccess, account: SampleAccount): Promise<Statement[]> {
  const { statements } = account;
  const answer = await post(access, account, { path: 'historical-statements/create/', data: { statements } });
  return bodyOf(answer, 201, ImportStatementsResponse).statements;
}

/**
 * Sends the account's payment instruction (4.7): the answer, which may be a refusal, and a success that is documented.
 */
export async function importPaymentInstruction(
  access: SupplierAccess,
  account: SampleAccount,
  instruction: NonNullable<SampleAccount['paymentInstruction']>,
): Promise<Answer> {
  const answer = await post(access, account, { path: 'payment-instruction/create/', data: instruction });
  if (answer.status === 201) bodyOf(answer, 201, ImportPaymentInstructionResponse);
  return answer;
}

function post(
  { client, importSupplier }: SupplierAccess,
  { externalAccountNumber }: SampleAccount,
  { path, data }: { path: string; data: object },
): Promise<Answer> {
  return client.post(path, {
    import_supplier: importSupplier,
    external_account_number: externalAccountNumber,
    ...data,
  });
}
