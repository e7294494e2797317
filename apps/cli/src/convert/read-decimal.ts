import { type AmountFault, readAmount, writeDecimal } from '../values/decimal.ts';
import type { Reading } from './reading.ts';

/** How a file writes its decimals, and how to name it in advice. */
export interface DecimalStyle {
  hasComma: boolean;
  /** The sign of an amount marked CR. */
  credit: 'negative' | 'positive' | undefined;
  kind: string;
}

/** The form of the payload: its digits are kept as they are, zeros in front too. */
const PLAIN = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * A decimal number as a text with a point, every digit kept, as people and systems write it: `48.20-`, `(48.20)`,
 * `1,234.50`. A comma before decimals needs its flag, since a whole column has it or none; `28,340` may be two numbers and
 * is refused with advice, and so is `48.20 CR` (behaviour 25.2.5).
 */
export function readDecimal(text: string, { hasComma, credit, kind }: DecimalStyle): Reading {
  if (!hasComma && PLAIN.test(text)) return { value: text.replace(/^\+/, '') };
  const anyhow = readAmount(text, { ...(credit && { credit }), ...(hasComma && { decimalSign: 'comma' }) });
  if (anyhow.fault === undefined) {
    const isPoint =
      hasComma || readAmount(text, { credit: credit ?? 'negative', decimalSign: 'point' }).fault === undefined;
    return isPoint
      ? { value: writeDecimal(anyhow.value) }
      : { fault: `The decimals stand behind a comma: give --decimal-comma ${kind}.` };
  }
  const isOther = hasComma && readAmount(text, { credit: 'negative', decimalSign: 'point' }).fault === undefined;
  return {
    fault: isOther
      ? `The decimals stand behind a point, and --decimal-comma ${kind} says a comma.`
      : sentenceOf(anyhow.fault, kind),
  };
}

/** Whether a text can be read as an amount with a comma before its decimals, and not without. */
export function needsComma(text: string): boolean {
  const isReadWith = (decimalSign: 'point' | 'comma') =>
    readAmount(text, { credit: 'negative', decimalSign }).fault === undefined;
  return isReadWith('comma') && !isReadWith('point');
}

function sentenceOf(fault: AmountFault, kind: string): string {
  switch (fault) {
    case 'point-or-comma':
      return `The comma may stand before decimals or between thousands. If before decimals, give --decimal-comma ${kind}; if between thousands, write the number without it.`;
    case 'credit-or-debit':
      return `CR and DR say on which side the amount stands: give --credit ${kind}=negative or --credit ${kind}=positive.`;
    case 'two-signs':
      return 'Has two signs.';
    case 'too-long':
      return 'Is too long for a number.';
    case 'no-number':
      return 'Must be a decimal number, such as 12.30.';
  }
}
