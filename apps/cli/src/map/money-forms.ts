/** What is special about how an amount is written. */
export type MoneyMark = 'minus-after' | 'parentheses' | 'currency' | 'credit' | 'debit';
/** What its sign before the decimals can be. */
export type DecimalSign = 'none' | 'point' | 'comma' | 'either';

/** How a text may be an amount. */
export interface MoneyForm {
  marks: readonly MoneyMark[];
  sign: DecimalSign;
  hasGroups: boolean;
  isNegative: boolean;
  /** As the payload has it: digits, perhaps a minus in front, perhaps a point. */
  isPlain: boolean;
}

const CURRENCY = /^(?:[£$€¥]|[A-Z]{3}(?=[\s\d]))\s*|\s*(?:[£$€¥]|(?<=[\d\s])(?!CR$|DR$)[A-Z]{3})$/u;
const NUMBER = /^\d+(?:[.,'\u00a0\u202f ]?\d+)*$/;

/** Undefined: it is none. */
export function moneyFormOf(text: string): MoneyForm | undefined {
  const marks: MoneyMark[] = [];
  let rest = text.trim();
  const take = (form: RegExp, mark: MoneyMark) => {
    if (!form.test(rest)) return;
    marks.push(mark);
    rest = rest.replace(form, mark === 'parentheses' ? '$1' : '').trim();
  };
  take(/\s*CR$/i, 'credit');
  take(/\s*DR$/i, 'debit');
  take(/^\((.+)\)$/, 'parentheses');
  take(/[-\u2212]$/, 'minus-after');
  const isNegative = /^[-\u2212]/.test(rest);
  rest = rest.replace(/^[-+\u2212]\s*/, '');
  take(CURRENCY, 'currency');
  rest = rest.replace(/^[-+\u2212]\s*/, '');
  if (!NUMBER.test(rest)) return undefined;
  const sign = decimalSignOf(rest);
  if (sign === undefined) return undefined;
  return {
    marks,
    ...sign,
    isNegative: isNegative || marks.includes('minus-after') || marks.includes('parentheses'),
    isPlain: /^-?\d+(?:\.\d+)?$/.test(text.trim()),
  };
}

/** `1,234` may be either; `1.234,56` and `48,20` have a comma. */
function decimalSignOf(number: string): { sign: DecimalSign; hasGroups: boolean } | undefined {
  if (/^\d+$/.test(number)) return { sign: 'none', hasGroups: false };
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(number)) return { sign: 'point', hasGroups: true };
  if (/^\d{1,3}(?:[.'\u00a0\u202f ]\d{3})+,\d+$/.test(number)) return { sign: 'comma', hasGroups: true };
  if (/^\d{1,3}(?:['\u00a0\u202f ]\d{3})+(?:\.\d+)?$/.test(number)) return { sign: 'point', hasGroups: true };
  if (/^\d{1,3},\d{3}$/.test(number)) return { sign: 'either', hasGroups: true };
  if (/^\d{1,3}(?:,\d{3}){2,}$/.test(number)) return { sign: 'point', hasGroups: true };
  if (/^\d{1,3}(?:\.\d{3}){2,}$/.test(number)) return { sign: 'comma', hasGroups: true };
  if (/^\d+\.\d+$/.test(number)) return { sign: 'point', hasGroups: false };
  return /^\d+,\d+$/.test(number) ? { sign: 'comma', hasGroups: false } : undefined;
}
