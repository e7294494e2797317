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

/** The undocumented fields of a line that is accepted, and what is doubtful about it: each kind once, at most 100. */
export function remarksOfLine(line: AccountLine | HistoryLine): LineRemark[] {
  const requests =
    line.kind === 'account'
      ? [line.account]
      : [line.notes, line.transactions, line.statements, ...line.payment_instructions];
  const told = new Map<string, LineRemark>();
  const tell = (remark: LineRemark) => {
    const key = `${remark.code} ${remark.attr}`;
    if (!told.has(key)) told.set(key, remark);
  };
  for (const request of requests) {
    for (const attr of request?.undocumented?.fields.keys() ?? []) tell({ code: 'undocumented_field', attr });
    for (const { attr, ...remark } of request?.remarks ?? []) tell({ ...remark, attr: attr.replace(INDEX, '*') });
  }
  return [...told.values()].slice(0, LIMITS.reported_errors);
}
