import {
  ChargeTransaction,
  type FieldError,
  ImportPaymentInstructionRequest,
  LIMITS,
  type SentHistory,
  type SentList,
  Statement,
  sentHistory,
} from '@causeway/contracts';
import { newAccountNumber } from '../account-imports/new-account-number.ts';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers, type NamedIdentifiers } from '../new-identifiers.ts';
import { unknownVendor } from '../payment-vendors/configured-vendor.ts';

const { vendor: Vendor, reference: Reference } = ImportPaymentInstructionRequest.shape;

/**
 * The faults of a payload's account number, unless an account was staged with it before; those of the identifiers in
 * its history, which are all new; and that of a payment vendor that nobody has configured.
 */
export async function newAccount(context: Context, request: unknown): Promise<FieldError[]> {
  const history = sentHistory(request);
  const found = [await newAccountNumber(context, request)];
  for (const named of identifiersOf(history)) {
    if (named.identifiers.length > 0) found.push(await faultsOfNewIdentifiers(context, request, named));
  }
  found.push(faultsOfVendor(context, history));
  return found.flat().slice(0, LIMITS.reported_errors);
}

function identifiersOf({ transactions, historical_transactions, statements, ...history }: SentHistory) {
  const { transaction_id } = ChargeTransaction.shape;
  const { reference } = history.payment_instruction;
  const attr = `${history.paths.payment_instruction}.reference`;
  return [
    namedIn(transactions, 'transaction_id', transaction_id),
    namedIn(historical_transactions, 'transaction_id', transaction_id),
    namedIn(statements, 'statement_id', Statement.shape.statement_id),
    { schema: Reference, identifiers: reference === undefined ? [] : [{ attr, value: reference }] },
  ];
}

function namedIn({ path, items }: SentList, field: string, schema: NamedIdentifiers['schema']): NamedIdentifiers {
  return {
    schema,
    identifiers: items.map((item, index) => ({ attr: `${path}.${index}.${field}`, value: item[field] })),
  };
}

function faultsOfVendor({ paymentVendors }: Context, { payment_instruction, paths }: SentHistory): FieldError[] {
  const { data: vendor } = Vendor.safeParse(payment_instruction.vendor);
  const isUnknown = vendor !== undefined && !paymentVendors.has(vendor);
  return isUnknown ? [unknownVendor(`${paths.payment_instruction}.vendor`)] : [];
}
