import { TransactionType } from '@causeway/contracts';
import { rawSql } from '@causeway/db';

/** One figure that a manifest may claim of an account: how `expected` has it, and `actual`, and how both are added up. */
interface Figure {
  name: string;
  column: string;
  /** What is added up of a column of either side; null: such figures have no sum. Default: the column. */
  addend?: ((column: string) => string) | null;
}

const columnOf = (type: string, figure: 'count' | 'amount') => `${type.toLowerCase()}_${figure}`;
const TYPES = TransactionType.options;

const FIGURES: readonly Figure[] = [
  { name: 'transfer_balance', column: 'transfer_balance' },
  { name: 'notes', column: 'notes' },
  { name: 'transactions', column: 'transactions' },
  { name: 'transactions_sum', column: 'transactions_sum' },
  ...TYPES.flatMap((type) => [
    { name: `by_type.${type}.count`, column: columnOf(type, 'count') },
    { name: `by_type.${type}.amount`, column: columnOf(type, 'amount') },
  ]),
  { name: 'statements', column: 'statements' },
  { name: 'statements_gross', column: 'statements_gross' },
  { name: 'payment_instruction', column: 'payment_instruction', addend: (column) => `${column}::integer` },
  { name: 'fingerprint', column: 'fingerprint', addend: null },
];

/** The columns of a line's `by_type`: a type that is left out has none. NULL if nothing is claimed by type. */
export const EXPECTED_BY_TYPE = rawSql(
  TYPES.map(
    (type) => `
      CASE WHEN by_type IS NOT NULL THEN coalesce((by_type#>>'{${type},count}')::integer, 0) END AS ${columnOf(type, 'count')},
      CASE WHEN by_type IS NOT NULL THEN coalesce((by_type#>>'{${type},amount}')::numeric(17, 2), 0.00) END AS ${columnOf(type, 'amount')}`,
  ).join(','),
);

/** The same of transactions that are grouped by their account. */
export const COUNTED_BY_TYPE = rawSql(
  TYPES.map(
    (type) => `
      count(*) FILTER (WHERE type = '${type}') AS ${columnOf(type, 'count')},
      sum(amount) FILTER (WHERE type = '${type}') AS ${columnOf(type, 'amount')}`,
  ).join(','),
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

/** What of a figure is added up: of an account of which it is claimed, or that the manifest does not name. */
function sumsOf({ column, addend = (each) => each }: Figure): string[] {
  if (addend === null) return [];
  const counts = `is_created AND (expected_${column} IS NOT NULL OR NOT is_expected)`;
  return [
    `'expected', sum(${addend(`expected_${column}`)})`,
    `'actual', sum(${addend(`actual_${column}`)}) FILTER (WHERE ${counts})`,
  ];
}

/** Each figure as it is claimed and as it is, added up, and of how many accounts it is claimed. */
export const SUMS = rawSql(
  `jsonb_build_object(${FIGURES.map(
    (figure) => `
        '${figure.name}', jsonb_build_object(${[...sumsOf(figure), `'claimed', count(expected_${figure.column})`].join(', ')})`,
  ).join(',')})`,
);
