import type { Reading } from './reading.ts';

/** How a file writes its decimals, and how to name it in advice. */
export interface DecimalStyle {
  hasComma: boolean;
  kind: string;
}

const PLAIN = /^[+-]?\d+(?:\.\d+)?$/;
const SYMBOL = /^[-+]?\s*(?:[£$€¥]|[A-Z]{3}\s)|(?:[£$€¥]|\s[A-Z]{3})$/u;

/**
 * A decimal number as a text with a point, every digit kept. A group of thousands is taken out where it can be nothing
 * else; `28,340` may be either and is refused with advice (behaviour 25.2.5).
 */
export function readDecimal(text: string, { hasComma, kind }: DecimalStyle): Reading {
  if (SYMBOL.test(text)) return { fault: 'Write the number alone, without its currency.' };
  // Read as if the point were the decimal sign; a comma and a point change places otherwise.
  const turned = hasComma ? text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text;
  if (PLAIN.test(turned)) return { value: turned.replace(/^\+/, '') };
  const [decimal, group] = hasComma ? ['comma', 'point'] : ['point', 'comma'];
  if (/^-?\d{1,3}(?:,\d{3})+\.\d+$/.test(turned) || /^-?\d{1,3}(?:,\d{3}){2,}$/.test(turned)) {
    return { value: turned.replaceAll(',', '') };
  }
  if (/^-?\d{1,3},\d{3}$/.test(turned)) {
    const flag = hasComma ? `leave out --decimal-comma ${kind}` : `give --decimal-comma ${kind}`;
    return {
      fault: `The ${group} may stand before decimals or between thousands. If before decimals, ${flag}; if between thousands, write the number without it.`,
    };
  }
  if (/^-?[\d.]*\d,\d+$/.test(turned)) {
    const flag = hasComma ? `--decimal-comma ${kind} says that it is a comma` : `give --decimal-comma ${kind}`;
    return { fault: `The decimals stand behind a ${group}, not a ${decimal}: ${flag}.` };
  }
  return { fault: 'Must be a decimal number, such as 12.30.' };
}
