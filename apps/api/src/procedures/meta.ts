import type { DomainCode, ErrorCode, FieldError, ImportOperation } from '@causeway/contracts';
import type { ListName } from '@causeway/domain';
import type { RequestChecks } from '@causeway/rules';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { z } from 'zod';
import type { Context } from '../http/context.ts';

/** What a procedure declares for `call`, for REST and for the published document. */
export interface ProcedureMeta extends OpenApiMeta {
  /** Open to the service team only. */
  isForStaff?: boolean;
  /** What is checked of a data-import call beside its schema. */
  checks?: InputChecks;
  successStatus?: 200 | 201;
  /** Another success status that a call can have, set in `response.status`. */
  alternativeSuccess?: { status: 200; description: string };
  /** Its documented refusals, in addition to those of every procedure. */
  errors?: readonly ErrorCode[];
  /** Of those, the ones that are a 404 here: the code's usual status is different. */
  notFound?: readonly ErrorCode[];
  /** The inputs that a POST reads from its query string. */
  queryParameters?: readonly string[];
  /** It calls another service: with an Idempotency-Key no transaction may be open around it. */
  outsideTransaction?: boolean;
  /** Its answer is not kept, because it is harmless to repeat, or because the answer has a secret. */
  ignoresIdempotencyKey?: boolean;
  /** It ends what other calls have done: its own kept answer stays when theirs are replaced. */
  outlivesUndo?: boolean;
  /** What its refusals are remembered as; those of a read are not. */
  operation?: RefusedOperation;
  /**
   * It answers a page of records and sets `response.nextPage`. If there is no `limit`, REST streams the whole list: its
   * first page, then its text from the database where it has a name, else its other pages; `lines`: as NDJSON; `rows`:
   * as NDJSON, or as CSV if `Accept` asks for it.
   */
  list?: ListName | UnnamedList;
}

/** The forms of a list whose text is not made by the database. */
export type UnnamedList = 'pages' | 'lines' | 'rows';

/** A procedure as `call` needs it. */
export interface Procedure {
  /** Its tRPC path, `dataImport.importNotes`. */
  path: string;
  type: 'query' | 'mutation';
  meta: ProcedureMeta;
  input: z.ZodType | undefined;
  /** The field of its input that names the import supplier. */
  supplierField: SupplierField;
  /** What its output is cut to; undefined where it is answered as it is. */
  output: z.ZodType | undefined;
  resolve: (call: { ctx: Context; input: unknown }) => unknown;
}

/** The field in which a procedure's input names the import supplier. */
export type SupplierField = 'import_supplier' | 'import_supplier_code';

/** What a data-import call is checked for beside its schema, and how it is refused. */
export interface InputChecks extends RequestChecks {
  /** The top-level code of a payload that fails validation. */
  failureCode?: DomainCode;
  /** Faults of the identifiers in the input, asked for once its import supplier is known. */
  names?: (ctx: Context, input: unknown) => FieldError[];
  /** Fields of a validation failure's body in addition to its errors. */
  failureExtra?: (sent: unknown, errors: FieldError[]) => Record<string, unknown>;
}

/** What a refusal can be remembered as. */
export type RefusedOperation = Exclude<ImportOperation, 'dry_run'>;

/** One call of a procedure. */
export interface Call {
  procedure: Procedure;
  /** Its input as it was sent: a JSON value. */
  sent: unknown;
  context: Context;
}
