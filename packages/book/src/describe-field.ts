import {
  AccountPayload,
  descriptionOfField,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
} from '@causeway/contracts';

/** The requests in which a field of an operation is documented. */
const REQUESTS = {
  notes: ImportNotesRequest,
  transactions: ImportTransactionsRequest,
  statements: ImportStatementsRequest,
  payment_instruction: ImportPaymentInstructionRequest,
};

/** What the field is at which an operation was refused, by its dotted path; null if no documented field is there. */
export function describeField(operation: string, attr: string): string | null {
  const request = REQUESTS[operation as keyof typeof REQUESTS];
  return (request && descriptionOfField(request, attr)) ?? descriptionOfField(AccountPayload, attr) ?? null;
}
