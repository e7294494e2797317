import { type BookControl, decimalText, type FieldError } from '@causeway/contracts';
import type { LineFigures } from './figures-of-line.ts';

const FIGURES = [
  'transactions',
  'transactions_sum',
  'statements',
  'statements_gross',
] as const satisfies (keyof BookControl)[];

/** What a line holds otherwise than its `control` expects (behaviour 21.1.5): nothing of it may have been lost. */
export function controlErrors(control: BookControl | undefined, figuresOf: () => LineFigures): FieldError[] {
  if (control === undefined) return [];
  const figures = figuresOf();
  return FIGURES.flatMap((figure) => {
    const [expected, found] = [control[figure], figures[figure]];
    if (expected === undefined || decimalText(expected) === decimalText(found)) return [];
    const detail = `The line has ${found}, and ${expected} was expected.`;
    return [{ detail, code: 'control_differs' as const, attr: `control.${figure}` }];
  });
}
