import { ErrorBody, errorsBelow, type FieldError, type ImportOperation } from '@causeway/contracts';
import { Failure } from '../frame/failure.ts';
import { refusalOf } from '../session/open-service.ts';
import type { Called } from './caller.ts';
import { differenceIn, type Money } from './money.ts';
import { differencesIn, figuresIn } from './read-answer.ts';

/** Why a line was refused. */
export interface Refusal {
  step: ImportOperation;
  code: string;
  detail: string;
  errors: FieldError[];
}

/** Thrown where a line was refused: the fault is in the line or, if `isOurs`, in the service. */
export class Refused extends Error {
  readonly refusal: Refusal;
  readonly isOurs: boolean;

  constructor(refusal: Refusal, isOurs: boolean) {
    super(refusal.detail);
    this.refusal = refusal;
    this.isOurs = isOurs;
  }
}

/** An hour less than the service keeps answers (behaviour 12.1.3): clocks differ. */
const ANSWERS_KEPT_MS = 23 * 3_600_000;

/** Transactions that are added without looking: once no answer is kept, nobody can tell that they were added before. */
export function refuseWhatMayBeThere({ transactions }: Record<string, unknown>, stored: Called, now: Date): void {
  const { count = 0, sum } = figuresIn(stored)?.transactions ?? {};
  const isKept = now.getTime() - Date.parse(Object(stored.body).account_created_at) < ANSWERS_KEPT_MS;
  if (isKept || count === 0 || count < (transactions as unknown[]).length) return;
  const detail = `The account has ${count} transactions of ${sum}, and was created 23 hours ago or earlier: these may be among them. Move the line without --no-check-previously-added, or take them out of it.`;
  const errors = [{ attr: 'transactions', code: 'control_differs' as const, detail }];
  throw new Refused({ step: 'transactions', code: 'control_differs', detail, errors }, false);
}

/** Nobody is told that a line was moved whose account exists with other values. */
export function refuseOtherData(staged: Called): void {
  const differences = differencesIn(staged);
  if (differences.length === 0) return;
  const detail = `The account exists already, with other values of ${differences.join(', ')}. Nothing was changed.`;
  const errors = differences.map((attr) => ({
    attr,
    code: 'differs_from_stored' as const,
    detail: 'The account has another value of this field.',
  }));
  throw new Refused({ step: 'stage', code: 'account_exists_with_other_data', detail, errors }, false);
}

/** Refuses a line of which something else was stored than was sent. */
export function refuseDifference(step: ImportOperation, money: Money): void {
  const detail = differenceIn(money);
  if (detail !== undefined) throw new Refused({ step, code: 'control_differs', detail, errors: [] }, false);
}

/** A refusal says which of several instructions it is about. */
export function ofOneOf(index: number, error: unknown): unknown {
  if (!(error instanceof Refused)) return error;
  const errors = errorsBelow(`payment_instructions.${index}`, error.refusal.errors);
  return new Refused({ ...error.refusal, errors }, error.isOurs);
}

/** Refusals that are no fault of the line: they would be those of every other line too. */
const FAULTS_OF_THE_RUN: Record<string, 'usage' | 'stoppedByOthers'> = {
  import_supplier_does_not_exist: 'usage',
  operations_team_name_does_not_exist: 'usage',
  import_supplier_migration_not_ongoing: 'stoppedByOthers',
};

/** Whether an answer with this code is none of Causeway's, and would be the same if the line were fixed. */
export const isOfAProxy = (code: string) => /^status_(?:408|413|429|5\d\d)$/.test(code);

/** What an answer that is no success means: a `Refused` line, or a Failure that ends the run. */
export function refusedBy(answer: Called, step: ImportOperation): Error {
  const { status } = answer;
  const body = ErrorBody.safeParse(answer.body).data;
  const ending = FAULTS_OF_THE_RUN[body?.code ?? ''];
  if (body !== undefined && ending !== undefined) return new Failure(ending, body.detail, { code: body.code });
  const isForeign =
    body === undefined && (typeof answer.body === 'string' || [404, 405, 415].includes(status) || status < 300);
  const isAboutTheCall = status === 401 || status === 403 || (isForeign && !isOfAProxy(`status_${status}`));
  if (isAboutTheCall) return refusalOf(answer);
  const refusal = {
    step,
    code: body?.code ?? `status_${status}`,
    detail: body?.detail ?? detailOf(answer),
    errors: body?.errors ?? [],
  };
  return new Refused(refusal, status >= 500 || status === 429 || status === 408);
}

/** Of an answer that is none of Causeway's. */
function detailOf(answer: Called): string {
  const { error_detail, detail = error_detail } = Object(answer.body);
  if (typeof detail === 'string') return detail;
  const { message, lines } = refusalOf(answer);
  return [message, ...lines.map((line) => line.trim())].join(' ');
}
