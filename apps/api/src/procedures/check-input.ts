import { accept, acceptOrExplain, findUndocumentedFields, type Remark } from '@causeway/contracts';
import { DomainError, dayIn, findUsableImportSupplier } from '@causeway/domain';
import { allErrorsOf, checkRequest, type FoundProblems, problemsOf, refusedFields, remarksOf } from '@causeway/rules';
import { z } from 'zod';
import { addRemarks, addUndocumentedFields } from '../answers/reply-headers.ts';
import type { Context } from '../http/context.ts';
import type { InputChecks, Procedure } from './meta.ts';

/**
 * The input that a procedure gets, with the undocumented fields to keep and what is doubtful; or why it is refused.
 */
export type CheckedInput =
  | { input: unknown; undocumented?: string | undefined; remarks?: readonly Remark[] }
  | { refusal: DomainError };

/**
 * Checks what was sent against the schema, the rules and the settings of its import supplier, all problems at once. The
 * input is as the schema gives it; where the import supplier's empty fields mean that they are omitted, without them.
 */
export async function checkInput(procedure: Procedure, sent: unknown, context: Context): Promise<CheckedInput> {
  const { input: schema, meta, supplierField, type } = procedure;
  if (schema === undefined) return { input: undefined };
  const { checks } = meta;
  if (checks === undefined || !(schema instanceof z.ZodObject)) return parse(schema, sent);
  const read = accept(schema, sent);
  const undocumented = read?.isDocumented ? undefined : findUndocumentedFields(schema, sent);
  addUndocumentedFields(context.response, undocumented);
  const importSupplier = await findUsableImportSupplier(context, Object(sent)[supplierField]);
  if (importSupplier !== undefined) {
    const { external_account_number: accountNumber } = Object(sent);
    context.noteSubject?.({ importSupplier: importSupplier.code, accountNumber });
  }
  const { undocumentedParameters } = context;
  const received = { sent, undocumented, undocumentedParameters, isRead: type !== 'mutation' };
  const today = dayIn(context.timeZone, context.clock());
  const checked = checkRequest(schema, received, { ...checks, importSupplier, today });
  if (importSupplier !== undefined && checks.names !== undefined) {
    checked.found.push(checks.names(context, checked.input));
  }
  const problems = problemsOf(schema, checked);
  if (problems !== undefined) return { refusal: refusalOf(checks, sent, problems) };
  const { input, kept } = checked;
  const accepted = input === sent && read !== undefined ? read : acceptOrExplain(schema, input);
  if ('error' in accepted) return { refusal: refusalOf(checks, sent, { all: allErrorsOf(accepted.error, input) }) };
  if (importSupplier === undefined || received.isRead) return { input: accepted.value, undocumented: kept };
  const { value: request, mayHaveDoubtfulText } = accepted;
  const remarks = remarksOf({
    ...{ request, mayHaveDoubtfulText, undocumented },
    ...{ settings: importSupplier, today, find: checks.remarks },
  });
  if (remarks.length === 0) return { input: accepted.value, undocumented: kept };
  addRemarks(context.response, remarks);
  return { input: accepted.value, undocumented: kept, remarks };
}

function parse(schema: z.ZodType, sent: unknown): CheckedInput {
  const { success, data, error } = schema.safeParse(sent);
  return success ? { input: data } : { refusal: refusalOf({}, sent, { all: allErrorsOf(error, sent) }) };
}

/** The refusal of an input with problems. */
export function refusalOf(checks: InputChecks, sent: unknown, found: FoundProblems): DomainError {
  const { failureCode = 'request_failed_validation', failureExtra } = checks;
  const { detail, errors } = refusedFields(found);
  return new DomainError(failureCode, detail, { errors, extra: failureExtra?.(sent, errors) ?? {} });
}
