import {
  type ImportOperation,
  ImportPaymentInstructionRequest,
  type SentList,
  sentHistory,
  sentInstructions,
} from '@causeway/contracts';

/** What an account brings besides itself. */
export interface Carried {
  imports: ImportOperation[];
  /** Of its payment instructions, in their order; undefined for one that is no type. */
  types: (string | undefined)[];
}

/** What an account that was sent was to bring, valid or not. */
export function carriedBy(sent: Record<string, unknown>): Carried {
  const { transactions, historical_transactions, statements, payment_instructions } = sentHistory(sent);
  const brings = ({ isRefused, items }: SentList) => isRefused || items.length > 0;
  const imports: [ImportOperation, boolean][] = [
    ['notes', Array.isArray(sent.notes) ? sent.notes.length > 0 : (sent.notes ?? undefined) !== undefined],
    ['transactions', brings(transactions) || brings(historical_transactions)],
    ['statements', brings(statements)],
    ['payment_instruction', payment_instructions.length > 0],
  ];
  return { imports: imports.flatMap(([name, isSent]) => (isSent ? name : [])), types: typesIn(sent) };
}

/** The types of the payment instructions of an account or a line, in their order; undefined for one that is no type. */
export function typesIn(sent: Record<string, unknown>): (string | undefined)[] {
  const { type } = ImportPaymentInstructionRequest.shape;
  return sentInstructions(sent).map((instruction) => type.safeParse(instruction.sent.type).data);
}
