import type { ErrorCode, ImportOperation } from '@causeway/contracts';
import { type FoundProblems, refusedFields } from '@causeway/rules';
import { accountNumberIn } from './account-number-of.ts';
import type { RefusedLine } from './checked-line.ts';

interface Refused {
  step: ImportOperation;
  code: ErrorCode;
  sent: { external_account_number?: unknown };
}

/** The refusal of a line, with all its problems in the sentence and the order of a call's refusal. */
export function refusedLine({ step, code, sent }: Refused, problems: FoundProblems): RefusedLine {
  const { external_account_number } = sent;
  return {
    refusal: { step, code, ...refusedFields(problems) },
    external_account_number: accountNumberIn({ external_account_number }),
  };
}
