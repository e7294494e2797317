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
  UndocumentedFields,
} from '@causeway/contracts';
import type { BalanceFault, PaymentVendorNames, RequestOptions } from '@causeway/rules';

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
  /** How transactions are imported where the line has no account: as the parameters of that import. */
  importOptions: Pick<ImportTransactionsRequest, 'check_previously_added' | 'force_add_to_current_statement'>;
}

/** A request that was checked, as its procedure would hand it to the domain. */
export interface CheckedRequest<Request> {
  request: Request;
  /** The JSON of the undocumented fields to keep with it; absent if there are none, or none are kept. */
  kept?: string;
  /** What does not add up; to be reported where the import supplier is configured so. */
  balanceFaults: BalanceFault[];
}

interface ReadLine {
  external_account_number: string;
  control?: BookControl;
  /** What nobody documented, for a warning: it is neither refused nor silently dropped. */
  undocumented?: UndocumentedFields;
}

/** A line with an account: its history, wherever the line had it, is in the payload. */
export interface AccountLine extends ReadLine {
  kind: 'account';
  account: CheckedRequest<AccountPayload>;
}

/** A line with history for an account that exists: one request an import, in the order in which they are done. */
export interface HistoryLine extends ReadLine {
  kind: 'history';
  notes?: CheckedRequest<ImportNotesRequest>;
  transactions?: CheckedRequest<ImportTransactionsRequest>;
  statements?: CheckedRequest<ImportStatementsRequest>;
  payment_instruction?: CheckedRequest<ImportPaymentInstructionRequest>;
}

/** Why a line was refused: what the API answers to the same data. */
export interface LineRefusal {
  step: ImportOperation;
  code: ErrorCode;
  detail: string;
  errors: FieldError[];
}
