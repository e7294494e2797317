import {
  AccountPayload,
  AccountPaymentInstruction,
  BookControl,
  Customer,
  Note,
  Statement,
  SupplyAddress,
  Transaction,
} from '@causeway/contracts';
import { z } from 'zod';
import type { KindName } from './options.ts';

/** What the rows of a file are, and where they go in a line of the book. */
export interface Kind {
  name: KindName;
  /** What a row may have. */
  schema: z.core.$ZodType;
  /** The field of the line, or of its account, that the rows become. Accounts are the line itself. */
  field: string;
  isInAccount: boolean;
  /** The field is one row. */
  isSingle?: boolean;
  /** The field that several rows of an account become instead; without it, the account has one row at most. */
  fieldOfSeveral?: string;
  /** A list whose columns may be without an index: a row is then one item of it (behaviour 25.2.3). */
  itemOfRow?: string;
}

/** In the order of the line. Accounts come first: they say which lines there are. */
export const KINDS: readonly Kind[] = [
  {
    name: 'accounts',
    schema: z.object({ ...AccountPayload.shape, control: BookControl.optional() }),
    field: '',
    isInAccount: true,
    isSingle: true,
  },
  { name: 'customers', schema: Customer, field: 'customers', isInAccount: true },
  {
    name: 'supply-points',
    schema: SupplyAddress,
    field: 'supply_addresses',
    isInAccount: true,
    itemOfRow: 'meter_points',
  },
  { name: 'notes', schema: Note, field: 'notes', isInAccount: false },
  { name: 'transactions', schema: Transaction, field: 'transactions', isInAccount: false },
  { name: 'statements', schema: Statement, field: 'statements', isInAccount: false },
  {
    name: 'payment-instructions',
    schema: AccountPaymentInstruction,
    field: 'payment_instruction',
    isInAccount: false,
    isSingle: true,
    fieldOfSeveral: 'payment_instructions',
  },
];

/** The column that says whose row it is, in each kind of file. */
export const ACCOUNT_NUMBER = 'external_account_number';
/** The column that a rejected row has more; it is no part of the row when it is sent again. */
export const REJECTED_BECAUSE = 'rejected_because';
/** The account number, wherever it stands. */
export const AccountNumber: z.core.$ZodType = AccountPayload.shape[ACCOUNT_NUMBER];

/** How the path of a row's field is written: `customers.*.landline`. */
export function pathOf({ field, isSingle }: Kind, path: string): string {
  if (field === '') return path;
  return isSingle ? `${field}.${path}` : `${field}.*.${path}`;
}
