import {
  AccountPayload,
  AccountPaymentInstruction,
  Agreement,
  BookControl,
  Customer,
  documentedPaths,
  LineItem,
  MeterReading,
  Note,
  Register,
  Statement,
  SupplyAddress,
  TaxItem,
  Transaction,
} from '@causeway/contracts';
import { z } from 'zod';
import { type KindName, viewOf } from './kind-names.ts';

/** What the rows of a file are, and where they go in a line of the book. */
export interface Kind {
  name: KindName;
  /** What a row may have, its account number and keys aside. */
  schema: z.core.$ZodType;
  /** The field of the line, or of its account, that the rows become. Accounts are the line itself. */
  field: string;
  isInAccount: boolean;
  /** The field is one row. */
  isSingle?: boolean;
  /** The field that several rows of an account become instead; without it, the account has one row at most. */
  fieldOfSeveral?: string;
  /** The rows are put into a list of rows of another kind. */
  into?: Into;
  /** It has the same columns as this kind, so that only its name tells them apart. */
  twin?: KindName;
}

/** Which list of which row another row goes into. */
export interface Into {
  kind: KindName;
  /** From the field to the list: the list of each step, and the column that names one item of it. */
  steps: readonly Step[];
  list: string;
  /** A further field with such rows. */
  orField?: string;
}

interface Step {
  /** Empty: the field itself. */
  list: string;
  /** The field of the item that the column names. */
  field: string;
  column: string;
  /** The column may be left out where there is one item. */
  isOptional: boolean;
}

const METER_POINT: Step = {
  list: 'meter_points',
  field: 'identifier',
  column: 'meter_point_identifier',
  isOptional: false,
};
const METER: Step = {
  list: 'meters',
  field: 'meter_serial_number',
  column: 'meter_serial_number',
  isOptional: true,
};
const TRANSACTION: Step = { list: '', field: 'transaction_id', column: 'transaction_id', isOptional: false };
/** The field of closed history. */
export const HISTORICAL = 'historical_transactions';
const OF_TRANSACTION = { kind: 'transactions', steps: [TRANSACTION], orField: HISTORICAL } as const;

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
  { name: 'supply-points', schema: SupplyAddress, field: 'supply_addresses', isInAccount: true },
  partOf('registers', Register, { kind: 'supply-points', steps: [METER_POINT, METER], list: 'registers' }),
  partOf('readings', MeterReading, { kind: 'supply-points', steps: [METER_POINT, METER], list: 'transfer_readings' }),
  {
    ...partOf('reading-history', MeterReading, {
      kind: 'supply-points',
      steps: [METER_POINT, METER],
      list: 'reading_history',
    }),
    twin: 'readings',
  },
  partOf('agreements', Agreement, { kind: 'supply-points', steps: [METER_POINT], list: 'agreements' }),
  { name: 'notes', schema: Note, field: 'notes', isInAccount: false },
  { name: 'transactions', schema: Transaction, field: 'transactions', isInAccount: false },
  {
    ...{ name: 'historical-transactions', schema: Transaction, field: HISTORICAL, isInAccount: true },
    twin: 'transactions',
  },
  partOf('line-items', LineItem, { ...OF_TRANSACTION, list: 'line_items' }),
  partOf('tax-items', TaxItem, { ...OF_TRANSACTION, list: 'tax_items' }),
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

function partOf(name: KindName, schema: z.core.$ZodType, into: Into): Kind {
  const of = into.kind === 'transactions' ? 'transactions' : 'supply_addresses';
  return { name, schema, field: of, isInAccount: of === 'supply_addresses', into };
}

/** The kind of a name. */
export function kindNamed(name: KindName): Kind {
  const kind = KINDS.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}.`);
  return kind;
}

/** The lists and objects of a line that have no kind of their name, and the kinds that bring what is in them, as views. */
export function viewsByField(): Readonly<Record<string, readonly string[]>> {
  const views = new Map<string, { kinds: readonly Kind[]; depth: number }>();
  for (const kind of KINDS) {
    for (const path of documentedPaths(kind.schema)) {
      for (const [depth, name] of path.split('.').slice(0, -1).entries()) {
        if (depth < (views.get(name)?.depth ?? Number.POSITIVE_INFINITY)) views.set(name, { kinds: [kind], depth });
      }
    }
  }
  for (const { field, fieldOfSeveral, into } of KINDS) {
    const kindsOf = (name: string) =>
      KINDS.filter((kind) => [kind.into?.list ?? kind.field, kind.fieldOfSeveral].includes(name));
    for (const name of [into?.list ?? field, fieldOfSeveral ?? field])
      views.set(name, { kinds: kindsOf(name), depth: 0 });
  }
  const isOther = (name: string) => !/^\d*$/.test(name) && !KINDS.some((kind) => viewOf(kind.name) === name);
  const others = [...views].filter(([name]) => isOther(name));
  return Object.fromEntries(others.map(([name, { kinds }]) => [name, kinds.map((kind) => viewOf(kind.name))]));
}

/** The column that says whose row it is, in each kind of file. */
export const ACCOUNT_NUMBER = 'external_account_number';
/** The column that a rejected row has more; it is no part of the row when it is sent again. */
export const REJECTED_BECAUSE = 'rejected_because';
/** What its reason ends with where the row could not be read whole: its cells are not those of the file. */
export const COPY_AGAIN = 'Copy the row from there, and empty this cell.';
/** The account number, wherever it stands. */
export const AccountNumber: z.core.$ZodType = AccountPayload.shape[ACCOUNT_NUMBER];

/** The columns that say where a row belongs, and are no part of it. */
export function keyColumns({ field, into }: Kind): string[] {
  return [...(field === '' ? [] : [ACCOUNT_NUMBER]), ...(into?.steps.map(({ column }) => column) ?? [])];
}

/** The fields that name something: a meter, a bill, or the one that another takes back. */
const IDENTIFIERS = new Set([
  ...KINDS.flatMap(({ into }) => into?.steps.map(({ field }) => field) ?? []),
  ...['reverses', 'to_prepay_meter_serial_number', 'statement_id', 'replaces', 'reference', 'supersedes'],
]);
/** Where a supplier may send anything. */
const FREE = new Set(['additional_data', 'metadata']);

/** Whether the field at a path names something. */
export function isIdentifierAt(path: readonly string[]): boolean {
  return IDENTIFIERS.has(path.at(-1) ?? '') && !path.some((name) => FREE.has(name));
}

/** How the path of a row's field is written: `customers.*.landline`. */
export function pathOf({ field, isSingle, into }: Kind, path: string): string {
  if (field === '') return path;
  if (isSingle) return `${field}.${path}`;
  const lists =
    into === undefined ? [] : [...into.steps.map(({ list }) => list).filter((list) => list !== ''), into.list];
  return [field, ...lists].map((list) => `${list}.*.`).join('') + path;
}
