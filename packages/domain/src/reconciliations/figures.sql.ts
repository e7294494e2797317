import { type DifferenceField, TransactionType } from '@causeway/contracts';
import { rawSql } from '@causeway/db';

/** One figure that a manifest may claim of an account: how `expected` has it, and `actual`, and how both are added up. */
interface Figure {
  name: Exclude<DifferenceField, 'account'>;
  column: string;
  /** What is added up of a column of either side; null: such figures have no sum. Default: the column. */
  addend?: ((column: string) => string) | null;
}

const columnOf = (type: TransactionType, figure: 'count' | 'amount') => `${type.toLowerCase()}_${figure}`;
const TYPES = TransactionType.options;

const FIGURES: readonly Figure[] = [
  { name: 'transfer_balance', column: 'transfer_balance' },
  { name: 'notes', column: 'notes' },
  { name: 'transactions', column: 'transactions' },
  { name: 'transactions_sum', column: 'transactions_sum' },
  ...TYPES.flatMap((type) => [
    { name: `by_type.${type}.count` as const, column: columnOf(type, 'count') },
    { name: `by_type.${type}.amount` as const, column: columnOf(type, 'amount') },
  ]),
  { name: 'statements', column: 'statements' },
  { name: 'statements_gross', column: 'statements_gross' },
  { name: 'payment_instruction', column: 'payment_instruction', addend: (column) => `${column}::integer` },
  { name: 'fingerprint', column: 'fingerprint', addend: null },
];

/** What a line has of each type, which is read once: a path from `by_type` to each figure takes twice as long. */
export const LINE_OF_TYPES = rawSql(
  TYPES.map((type) => `by_type->'${type}' AS ${type.toLowerCase()}`).join(',\n        '),
);

/** The figures of these columns: a type that is left out has none. NULL if nothing is claimed by type. */
export const EXPECTED_BY_TYPE = rawSql(
  TYPES.map((type) => {
    const line = type.toLowerCase();
    return `
      CASE WHEN by_type IS NOT NULL THEN coalesce((${line}->>'count')::integer, 0) END AS ${columnOf(type, 'count')},
      CASE WHEN by_type IS NOT NULL THEN coalesce((${line}->>'amount')::numeric(17, 2), 0.00) END AS ${columnOf(type, 'amount')}`;
  }).join(','),
);

/** The same of transactions that are grouped by their account. */
export const COUNTED_BY_TYPE = rawSql(
  TYPES.map(
    (type) => `
      count(*) FILTER (WHERE type = '${type}') AS ${columnOf(type, 'count')},
      coalesce(sum(amount) FILTER (WHERE type = '${type}'), 0.00) AS ${columnOf(type, 'amount')}`,
  ).join(','),
);

/** What all types of an account's transactions add up to: each transaction has one of them. */
const ofAllTypes = (figure: 'count' | 'amount') => TYPES.map((type) => `moved.${columnOf(type, figure)}`).join(' + ');
export const ACTUAL_OF_ALL_TYPES = rawSql(
  `coalesce(${ofAllTypes('count')}, 0) AS transactions,
      coalesce(${ofAllTypes('amount')}, 0.00) AS transactions_sum`,
);

/** The same of an account that may have none. */
export const ACTUAL_BY_TYPE = rawSql(
  TYPES.map(
    (type) => `
      coalesce(moved.${columnOf(type, 'count')}, 0) AS ${columnOf(type, 'count')},
      coalesce(moved.${columnOf(type, 'amount')}, 0.00) AS ${columnOf(type, 'amount')}`,
  ).join(','),
);

/** Whether a claimed figure of an account differs; NULL or false: none does. */
export const FIGURES_DIFFER = rawSql(
  FIGURES.map(({ column }) => `expected.${column} <> actual.${column}`).join('\n        OR '),
);

/** Each figure of a row of `paired` as `(field, expected, actual)`. */
export const FIGURE_ROWS = rawSql(
  FIGURES.map(({ name, column }) => `('${name}', expected_${column}::text, actual_${column}::text)`).join(',\n      '),
);

/** What `FIGURE_ROWS` reads of a row of both sides. */
export const BOTH_SIDES = rawSql(
  FIGURES.map(({ column }) => `expected.${column} AS expected_${column}, actual.${column} AS actual_${column}`).join(
    ',\n      ',
  ),
);

/** Where a figure is claimed: those by type are claimed together. */
const claimOf = ({ name, column }: Figure) => (name.startsWith('by_type.') ? columnOf('CHARGE', 'count') : column);

/** What accounts add up to; `actual` adds up what is stored of a figure. */
function addedUp(actual: (column: string, sumOf: (side: 'expected' | 'actual') => string) => string) {
  const columns = FIGURES.flatMap((figure) => {
    const { column, addend = (each: string) => each } = figure;
    const claimed = `count(expected_${claimOf(figure)}) AS claimed_${claimOf(figure)}`;
    if (addend === null) return [claimed];
    const sumOf = (side: string) => `sum(${addend(`${side}_${column}`)})`;
    return [claimed, `${sumOf('expected')} AS expected_${column}`, `${actual(column, sumOf)} AS actual_${column}`];
  });
  return rawSql([...new Set(columns)].join(',\n      '));
}

/** Of accounts without a difference, which have what is claimed of them: adding that up again costs nothing. */
export const ADDED_OF_EQUAL = addedUp((_, sumOf) => sumOf('expected'));

/** Of all others: of a figure, those of which it is claimed, or that the manifest does not name. */
export const ADDED_OF_OTHERS = addedUp(
  (column, sumOf) =>
    `${sumOf('actual')} FILTER (WHERE is_created AND (expected_${column} IS NOT NULL OR NOT is_expected))`,
);

/** Each figure as it is claimed and as it is, added up, and of how many accounts it is claimed. */
export const SUMS = rawSql(
  `jsonb_build_object(${FIGURES.map((figure) => {
    const { name, column, addend } = figure;
    const sums = addend === null ? '' : `'expected', sum(expected_${column}), 'actual', sum(actual_${column}), `;
    return `\n        '${name}', jsonb_build_object(${sums}'claimed', sum(claimed_${claimOf(figure)}))`;
  }).join(',')})`,
);
