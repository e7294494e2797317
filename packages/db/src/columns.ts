import type {
  AccountImportState,
  BalanceCheck,
  CustomerEmailState,
  ImportSupplierStatus,
  StatementAmountUnit,
} from './generated/enums.ts';

/** The JavaScript type in which the pool returns each PostgreSQL type. */
interface ValueTypes {
  account_import_state: AccountImportState;
  balance_check: BalanceCheck;
  bigint: string;
  boolean: boolean;
  bytea: Buffer;
  char: string;
  customer_email_state: CustomerEmailState;
  date: string;
  'double precision': number;
  import_supplier_status: ImportSupplierStatus;
  integer: number;
  'integer[]': number[];
  json: unknown;
  jsonb: unknown;
  numeric: string;
  'numeric[]': string[];
  statement_amount_unit: StatementAmountUnit;
  text: string;
  'text[]': string[];
  timestamptz: Date;
  uuid: string;
  'uuid[]': string[];
  void: '';
}
type ValueType = keyof ValueTypes;
declare const narrowed: unique symbol;

/** The type of a result column, and whether it may be null. */
export type Column = ValueType | `${ValueType} | null`;
/** The result columns of a statement, by name. A test of the statement's package compares them with PostgreSQL's. */
export type Columns = Readonly<Record<string, Column>>;

type ValueOf<C extends Column> = C extends { [narrowed]: infer Value }
  ? Value
  : C extends `${infer Type extends ValueType} | null`
    ? ValueTypes[Type] | null
    : C extends ValueType
      ? ValueTypes[C]
      : never;
export type RowWith<C extends Columns> = { -readonly [Name in keyof C]: ValueOf<C[Name]> };

/** A column whose values are narrower than their type: one of a few words, or JSON of one shape. */
export function narrow<Value>(
  column: null extends Value ? `${ValueType} | null` : ValueType,
): Column & { [narrowed]: Value } {
  return column as Column & { [narrowed]: Value };
}
