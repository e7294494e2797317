import { LIMITS, type Remark, type RemarkCode } from '@causeway/contracts';
import type { AccountLine, HistoryLine } from './checked-line.ts';

/** What is told of a line that is accepted. */
export interface LineRemark {
  code: RemarkCode;
  /** With `*` for the indexes of lists. */
  attr: string;
  /** What was computed of the first one, such as two sums. */
  detail?: Remark['detail'];
}

const INDEX = /(?<=^|\.)\d+(?=\.|$)/g;

/** A path with `*` for the indexes of lists. */
export const withoutPlaces = (attr: string) => attr.replace(INDEX, '*');

/** The undocumented fields of a line that is accepted, and what is doubtful about it: each kind once, at most 100. */
export function remarksOfLine(line: AccountLine | HistoryLine): LineRemark[] {
  const told = new Map<string, LineRemark>();
  for (const { attr: place, ...remark } of placedRemarksOfLine(line)) {
    const attr = withoutPlaces(place);
    const key = `${remark.code} ${attr}`;
    if (!told.has(key)) told.set(key, { ...remark, attr });
  }
  return [...told.values()].slice(0, LIMITS.reported_errors);
}

/** All of them, with the indexes of lists; undocumented fields are told without. */
export function placedRemarksOfLine(line: AccountLine | HistoryLine): LineRemark[] {
  const requests =
    line.kind === 'account'
      ? [line.account]
      : [line.notes, line.transactions, line.statements, ...line.payment_instructions];
  return requests.flatMap((request): LineRemark[] => [
    ...[...(request?.undocumented?.fields.keys() ?? [])].map((attr) => ({ code: 'undocumented_field' as const, attr })),
    ...(request?.remarks ?? []),
  ]);
}
