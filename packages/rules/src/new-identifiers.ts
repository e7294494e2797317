import {
  AccountPayload,
  ChargeTransaction,
  type FieldError,
  faultOfIdentifier,
  ImportPaymentInstructionRequest,
  itemsOf,
  LIMITS,
  type SentList,
  Statement,
  sentHistory,
  type TextFault,
} from '@causeway/contracts';

/** The identifiers of one kind in a request, as they were sent. */
export interface NamedIdentifiers {
  identifiers: readonly unknown[];
  /** Where an identifier was sent, by its index. */
  attrOf: (index: number) => string;
  /** The schema; what it refuses is skipped, because it has been reported. */
  schema: typeof AccountPayload.shape.external_account_number;
  /** A further fault of an identifier of this kind. */
  faultOf?: (value: string) => TextFault | undefined;
}

/** What is wrong with identifiers that introduce something new (behaviour 2.1.5): as much as is reported. */
export function faultsOfIdentifiers({ identifiers, attrOf, schema, faultOf }: NamedIdentifiers): FieldError[] {
  const longest = schema.maxLength ?? 0;
  const faults = identifiers.flatMap((value, index) => {
    // Checks the length first: checking the characters takes time, and the schema refuses text that is too long.
    if (typeof value !== 'string' || value.length > longest) return [];
    const fault = faultOfIdentifier(value) ?? faultOf?.(value);
    // In this order: faults are rare, and the schema is the more expensive check.
    if (fault === undefined || !schema.safeParse(value).success) return [];
    return [{ ...fault, attr: attrOf(index) }];
  });
  return faults.slice(0, LIMITS.reported_errors);
}

/** The account number of an account that is validated or staged. */
export function accountNumberIn(request: unknown): NamedIdentifiers {
  return {
    identifiers: [Object(request).external_account_number],
    attrOf: () => 'external_account_number',
    schema: AccountPayload.shape.external_account_number,
    faultOf: (value) => (value === '.' || value === '..' ? STEP_OF_A_PATH : undefined),
  };
}

/** Those in the history that an account carries. */
export function identifiersInHistory(request: unknown): NamedIdentifiers[] {
  const { transactions, historical_transactions, statements, payment_instructions: all } = sentHistory(request);
  const { transaction_id } = ChargeTransaction.shape;
  return [
    namedIn(transactions, 'transaction_id', transaction_id),
    namedIn(historical_transactions, 'transaction_id', transaction_id),
    namedIn(statements, 'statement_id', Statement.shape.statement_id),
    {
      schema: ImportPaymentInstructionRequest.shape.reference,
      identifiers: all.map(({ sent }) => sent.reference),
      attrOf: (index) => `${all[index]?.path}.reference`,
    },
  ];
}

export function transactionIdsIn(request: unknown): NamedIdentifiers {
  const items = itemsOf(Object(request).transactions, LIMITS.transactions);
  return namedIn({ path: 'transactions', items }, 'transaction_id', ChargeTransaction.shape.transaction_id);
}

export function statementIdsIn(request: unknown): NamedIdentifiers {
  const items = itemsOf(Object(request).statements, LIMITS.statements);
  return namedIn({ path: 'statements', items }, 'statement_id', Statement.shape.statement_id);
}

/** The reference in an import of a payment instruction. */
export function referenceIn(request: unknown): NamedIdentifiers {
  return {
    identifiers: [Object(request).reference],
    attrOf: () => 'reference',
    schema: ImportPaymentInstructionRequest.shape.reference,
  };
}

function namedIn(
  { path, items }: Pick<SentList, 'path' | 'items'>,
  field: string,
  schema: NamedIdentifiers['schema'],
): NamedIdentifiers {
  return {
    schema,
    identifiers: items.map((item) => item[field]),
    attrOf: (index) => `${path}.${index}.${field}`,
  };
}

const STEP_OF_A_PATH: TextFault = {
  code: 'invalid',
  detail: 'Must not be "." or "..": HTTP clients leave them out of a path, so that the account could not be asked for.',
};
