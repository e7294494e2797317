import { ERROR_CODES, FIELD_CODES, REMARKS } from '@causeway/contracts';
import { tableLines, visible, wrap } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';

/** Of a job, or of an import supplier. */
interface Described {
  operation: string;
  refused: boolean;
  code: string;
  attr: string;
  description: string | null;
  accounts: number;
  sample_account_numbers: readonly string[];
  /** Where it is known, how many of them have it in a meter point of each service. */
  services?: Readonly<Record<string, number>> | undefined;
}

/** One line each: `1,102  invalid_phone_number  customers.*.landline`. */
export function problemRows(problems: readonly Described[]): string[] {
  const rows = problems.map(({ accounts, code, attr, operation, refused }) => [
    grouped(accounts),
    code,
    attr === '' ? `(${operation})` : attr,
    refused ? '' : 'accepted',
  ]);
  return tableLines(rows, [0]);
}

/**
 * What lines or accounts came to, in the same words wherever it is said: what was refused, what was accepted and is
 * doubtful, and what is not as it is stored; each kind with what it is, and a few of the accounts. Of many kinds the first
 * `most`, with a line that says where the others are.
 */
export function summaryLines(
  problems: readonly Described[],
  columns: number,
  { most = problems.length, others = '' }: { most?: number; others?: string } = {},
): string[] {
  const sections = Map.groupBy(problems, headingOf);
  return HEADINGS.flatMap((heading) => {
    const all = sections.get(heading) ?? [];
    if (all.length === 0) return [];
    const more = all.length - most;
    return [
      `${heading}:`,
      ...all.slice(0, most).flatMap((problem) => kindLines(problem, columns)),
      ...(more > 0 ? [`  and ${grouped(more)} more kinds: ${others}`] : []),
    ];
  });
}

const HEADINGS = ['Refused', 'Accepted, but look at these', 'Different from what is stored'] as const;
const DIFFERENT = new Set(['existing_data_differs', 'account_exists_with_other_data', 'differs_from_stored']);

function headingOf({ refused, code }: Described): (typeof HEADINGS)[number] {
  if (DIFFERENT.has(code)) return 'Different from what is stored';
  return refused ? 'Refused' : 'Accepted, but look at these';
}

function kindLines(problem: Described, columns: number): string[] {
  const { accounts, code, attr, operation, sample_account_numbers: samples } = problem;
  const services = servicesSaid(problem);
  return [
    `  ${grouped(accounts)}  ${code}  ${visible(attr === '' ? `(${operation})` : attr)}`,
    ...(services === '' ? [] : wrap(services, columns, '      ')),
    ...(samples.length > 0 ? wrap(`For example ${samples.map(visible).join(', ')}`, columns, '      ') : []),
    ...wrap(visible(explainProblem(problem)), columns, '      '),
  ];
}

/** How many have it by service: `ELECTRICITY 3, GAS 187`; empty where that is not known. */
export function servicesSaid({ services = {} }: Pick<Described, 'services'>): string {
  return Object.entries(services)
    .map(([service, some]) => `${service} ${grouped(some)}`)
    .sort()
    .join(', ');
}

/** Codes whose sentence needs no field beside it, with what they mean and what to do. */
const ROWS: Readonly<Record<string, { when: string; remedy: string }>> = {
  ...Object.fromEntries(Object.entries(ERROR_CODES).filter(([code]) => !(code in FIELD_CODES))),
  ...REMARKS,
  differs_from_stored: ERROR_CODES.account_exists_with_other_data,
};

/** What a problem is, for people: what its code means, and what is to be done or, of a field's value, what the field is. */
export function explainProblem({
  code,
  description,
  refused,
}: Pick<Described, 'code' | 'description' | 'refused'>): string {
  // A remark that was refused was not accepted, as its own sentence says.
  const row = refused && code in REMARKS ? undefined : ROWS[code];
  if (row !== undefined) return `${row.when} ${row.remedy}`;
  return [FIELD_CODES[code as keyof typeof FIELD_CODES], description].filter((sentence) => sentence).join(' ');
}
