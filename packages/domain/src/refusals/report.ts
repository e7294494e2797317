import type { ImportOperation, ReportedProblem } from '@causeway/contracts';
import type { AccountKey } from '../account-key.ts';
import { kindsOf, type RefusedField, refusedFields } from './refused-fields.ts';

/** A problem of a call that succeeds nevertheless (behaviour 4.15.10). */
export interface Report {
  code: ReportedProblem;
  /**
   * Paths with indexes or `*`: `{ code: 'existing_data_differs', attr: 'transactions.*.amount' }`. Of many, one for
   * each path is sufficient.
   */
  errors: readonly RefusedField[];
  /**
   * What the service team sees beside the code: what the service computed itself, such as two sums. Never text that was
   * sent, and nothing that describes a person.
   */
  detail?: Readonly<Record<string, string | number | boolean>>;
}

/** A call that succeeds, and what is reported of it. */
export interface ReportedCall {
  operation: ImportOperation;
  reports: readonly Report[];
}

/**
 * What a writing statement takes as `reports` (`settleRefusals`): the effect and its reports are committed together.
 * Listed with the problems, a report does not keep the account from being complete. One row an account, operation and
 * code: a repetition replaces it, and a success without it resolves it. Nothing if there are none.
 */
export function reportRows(call: ReportedCall & Omit<AccountKey, 'id'> & { request_id: string }): {
  reports?: unknown[];
} {
  const { operation, reports, request_id, import_supplier_code, external_account_number } = call;
  if (reports.length === 0) return {};
  const of = { operation, request_id, import_supplier_code, external_account_number };
  return {
    reports: reports.map(({ code, errors, detail }) => {
      const fields = refusedFields(errors);
      return { ...of, code, errors: fields, problems: kindsOf(code, fields), detail };
    }),
  };
}
