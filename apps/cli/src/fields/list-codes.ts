import { ERROR_CODES, FIELD_CODES, REMARKS } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { wrap } from '../terminal/lines.ts';

/** A code that the service answers. */
interface ListedCode {
  code: string;
  /** What it is of. */
  of: 'error' | 'field' | 'remark';
  when: string;
  /** Of a field: correct it and send it again. */
  remedy?: string;
}

/** Lists the codes that have all words; needs no service (behaviour 25.2.15). */
export async function listCodes(
  { output: { columns } }: Context,
  { words: [words] }: { words: readonly [readonly string[]] },
): Promise<Result> {
  const wanted = words.map((word) => word.toLowerCase());
  const codes = everyCode().filter(({ code, of, when, remedy = '' }) => {
    const text = `${code} ${of} ${when} ${remedy}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (codes.length === 0) throw new Failure('usage', `No code has ${words.join(' and ')}.`);
  return {
    document: { codes },
    lines: codes.flatMap(({ code, of, when, remedy = '' }) => [
      `${code}  (${of})`,
      ...wrap(`${when} ${remedy}`, columns, '    '),
    ]),
  };
}

function everyCode(): ListedCode[] {
  const rows = (of: ListedCode['of'], all: Readonly<Record<string, { when: string; remedy: string }>>) =>
    Object.entries(all).map(([code, { when, remedy }]): ListedCode => ({ code, of, when, remedy }));
  const fields = Object.entries(FIELD_CODES).map(([code, when]): ListedCode => ({ code, of: 'field', when }));
  return [...fields, ...rows('remark', REMARKS), ...rows('error', ERROR_CODES)];
}
