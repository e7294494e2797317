import type { ErrorCode, ImportOperation } from '@causeway/contracts';
import { type FoundProblems, refusedFields } from '@causeway/rules';
import { accountNumberIn } from './account-number-of.ts';
import { broughtBy } from './brought-by.ts';
import type { RefusedLine } from './checked-line.ts';

interface Refused {
  step: ImportOperation;
  code: ErrorCode;
  /** The whole line. */
  sent: Record<string, unknown>;
}

/** The refusal of a line, with all its problems in the sentence and the order of a call's refusal, and what it was to bring. */
export function refusedLine({ step, code, sent }: Refused, problems: FoundProblems): RefusedLine {
  return {
    refusal: { step, code, ...refusedFields(problems) },
    external_account_number: accountNumberIn(sent),
    brings: broughtBy(sent),
  };
}
