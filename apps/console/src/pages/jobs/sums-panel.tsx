import { DataTable } from '../../components/data-table.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import { money } from '../../format/money.ts';
import { count } from '../../format/numbers.ts';
import { capitalised, words } from '../../format/words.ts';
import type { Job } from './job-words.ts';

type Sums = Job['sums'];

/** What the created lines add up to, to the penny. */
export function SumsPanel({ title, sums }: { title: string; sums: Sums }) {
  return (
    <Panel title={title}>
      <SumsTable label="Money by kind" sums={sums} />
      <KeyValues
        areShort
        of={[
          ['Notes', count(sums.notes)],
          ['Customers', count(sums.customers)],
          ['Supply points', count(sums.supply_points)],
          ...Object.entries(sums.account_types).map(
            ([type, value]) => [`${nameOfType(type)} accounts`, count(value)] as const,
          ),
        ]}
      />
    </Panel>
  );
}

/** Money by kind; a kind without anything is left out. */
export function SumsTable({ label, sums }: { label: string; sums: Sums }) {
  return (
    <DataTable
      label={label}
      rows={rowsOf(sums)}
      keyOf={({ kind }) => kind}
      empty="No money was moved yet."
      columns={[
        { name: 'Money by kind', cell: ({ kind }) => kind },
        { name: 'How many', align: 'end', cell: ({ count: of }) => (of === undefined ? '' : count(of)) },
        { name: 'Amount', align: 'end', cell: ({ amount }) => money(amount) },
      ]}
    />
  );
}

/** Whether both have the same money of each kind, to the penny. */
export function isSameMoney(one: Sums, other: Sums): boolean {
  const linesOf = (sums: Sums) => rowsOf(sums).map(({ kind, count: of, amount }) => `${kind} ${of} ${amount}`);
  return linesOf(one).sort().join() === linesOf(other).sort().join();
}

function rowsOf(sums: Sums): { kind: string; count?: number; amount: string }[] {
  const rows = [
    { kind: 'Balances in credit', amount: sums.transfer_balance_credit },
    { kind: 'Balances in debit', amount: sums.transfer_balance_debit },
    ...Object.entries(sums.transactions).map(([type, of]) => ({ kind: nameOfType(type), ...of })),
    { kind: 'Statements, gross', count: sums.statements.count, amount: sums.statements.gross },
  ];
  return rows.filter(({ amount }) => !/^-?0+(\.0+)?$/.test(amount));
}

/** `CHARGE` as `Charge`. */
function nameOfType(type: string): string {
  return capitalised(words(type.toLowerCase()));
}
