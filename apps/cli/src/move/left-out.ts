import { type PartsOfLine, pathBefore } from '@causeway/book';
import type { ImportOperation, StepResult } from '@causeway/contracts';
import { type Money, NO_MONEY, plus } from './money.ts';
import type { Refusal } from './refused.ts';

/** A refusal with the paths of the line: what was left out of it has moved what follows. */
export function refusalAsSent(refusal: Refusal, places: PartsOfLine['zeros']['places']): Refusal {
  const errors = refusal.errors.map((error) => ({ ...error, attr: pathBefore(error.attr, places) }));
  const [sent, asSent] = [refusal.errors[0]?.attr, errors[0]?.attr];
  const isMoved = sent !== undefined && asSent !== undefined && sent !== asSent;
  return { ...refusal, errors, detail: isMoved ? refusal.detail.replace(sent, asSent) : refusal.detail };
}

interface Counted {
  steps: { [Import in ImportOperation]?: StepResult };
  money: Money;
}

/** A line that was moved, with how many of its transactions of zero were left out. */
export function withLeftOut<Moved extends Counted>(moved: Moved, omitted: number): Moved {
  if (omitted === 0) return moved;
  const transactions = { added: 0, existing: 0, ...moved.steps.transactions, omitted };
  return { ...moved, steps: { ...moved.steps, transactions }, money: plus(moved.money, { ...NO_MONEY, omitted }) };
}
