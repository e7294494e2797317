import type {
  AccountPayload,
  BookControl,
  ErrorCode,
  FieldError,
  ImportNotesRequest,
  ImportOperation,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
  Remark,
  UndocumentedFields,
} from '@causeway/contracts';
import type { PaymentVendorNames, RequestOptions } from '@causeway/rules';

/** What the answer to a line depends on besides the line. */
export interface BookSettings {
  /** The import supplier of the whole book, with what the service team has configured. */
  importSupplier: NonNullable<RequestOptions['importSupplier']> & { code: string };
  /** YYYY-MM-DD in the service's time zone. */
  today: string;
  /** Of the line or, of a failed row, of its `data`. */
  maxLineBytes: number;
  /** The payment vendors that the service knows, by name. */
  paymentVendors: PaymentVendorNames;
  /** How transactions are imported if the line has no account: the parameters of that import. */
  importOptions: Pick<ImportTransactionsRequest, 'check_previously_added' | 'force_add_to_current_statement'>;
}

/** A request that was checked, as its procedure would hand it to the domain. */
export interface CheckedRequest<Request> {
  request: Request;
  /** The JSON of the undocumented fields to keep with it; undefined if there are none, or none are kept. */
  kept: string | undefined;
  /** For a warning: they are neither refused nor silently dropped. */
  undocumented: UndocumentedFields | undefined;
  /** What is doubtful and accepted, if the import supplier is configured to report it. */
  remarks: Remark[];
}

interface ReadLine {
  external_account_number: string;
  control: BookControl | undefined;
  /** Its transactions of zero that are left out; absent if there are none. */
  omitted?: number;
}

/** A line with an account: its history, wherever the line had it, is in the payload. */
export interface AccountLine extends ReadLine {
  kind: 'account';
  account: CheckedRequest<AccountPayload>;
}

/** A line with history for an account that exists: the requests of its imports, in the order in which they are done. */
export interface HistoryLine extends ReadLine {
  kind: 'history';
  notes?: CheckedRequest<ImportNotesRequest>;
  transactions?: CheckedRequest<ImportTransactionsRequest>;
  statements?: CheckedRequest<ImportStatementsRequest>;
  payment_instructions: CheckedRequest<ImportPaymentInstructionRequest>[];
}

/** Why a line is refused: what the API answers to the same data. */
export interface LineRefusal {
  step: ImportOperation;
  code: ErrorCode;
  detail: string;
  errors: FieldError[];
}

/** What a line was to bring, valid or not. */
export interface Brought {
  /** Whether it has an account. */
  account: boolean;
  /** How many records. */
  notes: number;
  transactions: number;
  statements: number;
  /** Of its payment instructions, in their order; undefined for one that is no type. */
  types: (string | undefined)[];
}

export interface RefusedLine {
  refusal: LineRefusal;
  /** As far as the line names one. */
  external_account_number: string | undefined;
  /** Undefined of what cannot be read as a line. */
  brings?: Brought;
}

export type ReadBookLine = { line: AccountLine | HistoryLine } | RefusedLine;
