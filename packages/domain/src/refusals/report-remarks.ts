import { createHash } from 'node:crypto';
import { type ImportOperation, REMARKS, type Remark, type RemarkCode } from '@causeway/contracts';
import { kindsOf, type RefusedField, refusedFields } from '../shared/refused-fields.ts';
import type { CallReport } from './settle.ts';

/** What an import has done with one item of its request, a record of its own. */
export interface ReportedItem {
  /** What identifies it in the account; undefined if nothing does. */
  identifier?: string | undefined;
  /** The account had it already. */
  isKnown: boolean;
  /** It takes the place of the one that the account had: what was remarked about that one ends. */
  isReplacement?: boolean;
  /** The fields in which that one is another than was sent. */
  differences?: readonly string[] | undefined;
}

/** What is remarked about a staged account: it is one record. */
export function reportAccount(remarks: readonly Remark[] = []): CallReport[] {
  return reports(remarks.map((remark) => ({ remark, record: '' })));
}

/**
 * What is remarked about the items of an import, each by itself (behaviour 4.15.10, 4.18): what is doubtful about one that
 * is stored as it was sent, and that one is known with other values. One that is sent as it is stored differs no more.
 */
export function reportItems(
  operation: ImportOperation,
  items: readonly ReportedItem[],
  remarks: readonly Remark[] = [],
): CallReport[] {
  // Nearly all imports have nothing to report: only those records are digested of which something is.
  const recordAt = (index: number) => digestOf(items[index]?.identifier);
  const differing = items.flatMap(({ differences = [] }, index) =>
    differences.map((field) => ({
      remark: { code: DIFFERS, attr: `${operation}.*.${field}` },
      record: recordAt(index),
    })),
  );
  const doubtful = remarks.flatMap((remark) => {
    const place = PLACE.exec(remark.attr)?.[1] ?? (items.length === 1 ? 0 : undefined);
    if (place === undefined) return [{ remark, record: '' }];
    const index = Number(place);
    return items[index]?.differences === undefined ? [{ remark, record: recordAt(index) }] : [];
  });
  const same = items.flatMap(({ isKnown, differences }, index) =>
    isKnown && differences === undefined ? recordAt(index) || [] : [],
  );
  const found = reports([...differing, ...doubtful]);
  const replaced = items.flatMap(({ isReplacement }, index) => (isReplacement ? recordAt(index) : []));
  if (replaced.length > 0) {
    const ended = CODES.filter((code) => !found.some((report) => report.code === code));
    return [...found, ...ended.map((code) => ({ code, confirmed: replaced }))];
  }
  if (same.length === 0) return found;
  const known = found.find(({ code }) => code === DIFFERS);
  if (known === undefined) return [...found, { code: DIFFERS, confirmed: same }];
  known.confirmed = same.filter((digest) => known.records?.[digest] === undefined);
  return found;
}

const CODES = Object.keys(REMARKS) as RemarkCode[];
const DIFFERS: RemarkCode = 'existing_data_differs';
/** `transactions.3.amount` is about the fourth transaction. */
const PLACE = /^[a-z_]+\.(\d+)\./;

/** Enough to tell the records of an account apart; an identifier itself may be personal data. */
const digestOf = (identifier = '') =>
  identifier === '' ? '' : createHash('md5').update(identifier).digest('base64url').slice(0, 11);

/** As many records are told apart; the others are together. */
const MAX_RECORDS = 1_000;

/** One report of each code. */
function reports(found: readonly { remark: Remark; record: string }[]): CallReport[] {
  const byCode = Map.groupBy(found, ({ remark }) => remark.code);
  return [...byCode].map(([code, all]) => {
    const errors = all.map(({ remark: { attr } }) => ({ code, attr }));
    const { detail } = all[0]?.remark ?? {};
    const first = new Set([...new Set(all.map(({ record }) => record))].slice(0, MAX_RECORDS));
    const byRecord = Map.groupBy(all, ({ record }) => (first.has(record) ? record : ''));
    const records = [...byRecord].map(([record, some]) => [record, problemsOf(some.map(({ remark }) => remark))]);
    return { code, errors: withoutRepeats(errors), records: Object.fromEntries(records), ...(detail && { detail }) };
  });
}

function problemsOf(remarks: readonly RefusedField[]): string[] {
  const [first] = remarks;
  return first === undefined ? [] : kindsOf(first.code, refusedFields(remarks));
}

const withoutRepeats = (errors: readonly RefusedField[]) => [
  ...new Map(errors.map((error) => [error.attr, error])).values(),
];
