import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { Row } from '../../components/stack.tsx';
import text from '../../components/text.module.css';
import { type OutputOf, untyped } from '../../data/ask.ts';
import { queryClient } from '../../data/client.ts';
import { useMayChange } from '../../data/use-role.ts';
import { money } from '../../format/money.ts';
import { count } from '../../format/numbers.ts';
import { date } from '../../format/times.ts';
import { capitalised, words } from '../../format/words.ts';

type Transaction = OutputOf<'accounts.transactions'>[number];
type Statement = OutputOf<'accounts.statements'>[number];
type Rows = { kind: 'transactions'; rows: Transaction[] } | { kind: 'statements'; rows: Statement[] };
type Kind = Rows['kind'];

/** More of one account nobody reads on a page. */
const MOST_ROWS = 1_000;

const TRANSACTIONS: readonly Column<Transaction>[] = [
  { name: 'Date', isWhole: true, cell: (one) => date(one.transaction_date) },
  { name: 'Type', cell: (one) => capitalised(words(one.type.toLowerCase())) },
  { name: 'Amount', align: 'end', cell: (one) => money(String(one.amount)) },
  { name: 'Description', cell: descriptionOf, hideBelow: 'narrow' },
  { name: 'Id', cell: (one) => <code>{one.transaction_id}</code>, hideBelow: 'medium' },
];
const STATEMENTS: readonly Column<Statement>[] = [
  { name: 'Issued', isWhole: true, cell: (one) => (one.issued_date === undefined ? '–' : date(one.issued_date)) },
  {
    name: 'Period',
    cell: (one) => `${date(one.bill_period_from_date)} to ${date(one.bill_period_to_date)}`,
    hideBelow: 'narrow',
  },
  {
    name: 'Gross amount',
    align: 'end',
    cell: (one) => (one.gross_amount === undefined ? '–' : inCurrency(one.gross_amount, one.currency)),
  },
  { name: 'Number', cell: (one) => one.number ?? '–', hideBelow: 'narrow' },
  { name: 'Status', cell: statusOf, hideBelow: 'narrow' },
  { name: 'Due', cell: (one) => (one.due_date === undefined ? '–' : date(one.due_date)), hideBelow: 'medium' },
  { name: 'Net and tax', align: 'end', cell: (one) => partsOf(one).join(' + ') || '–', hideBelow: 'medium' },
];

function descriptionOf({ description, reverses, to_prepay_meter_serial_number: meter }: Transaction): string {
  const said = [
    ...(reverses === undefined ? [] : [`Takes back ${reverses}.`]),
    ...(meter === undefined ? [] : [`To the prepayment meter ${meter}.`]),
    ...(description === undefined ? [] : [description]),
  ];
  return said.join(' ') || '–';
}

function statusOf({ status, replaces }: Statement): string {
  const said = status === undefined ? [] : [capitalised(words(status.toLowerCase()))];
  return [...said, ...(replaces === undefined ? [] : [`replaces ${replaces}`])].join(', ') || '–';
}

function partsOf({ net_amount, tax_amount }: Statement): string[] {
  return [net_amount, tax_amount].flatMap((amount) => (amount === undefined ? [] : [money(String(amount))]));
}

const inCurrency = (amount: string | number, currency: string | undefined) =>
  [money(String(amount)), ...(currency === undefined ? [] : [currency])].join(' ');

/** What a customer asks about: each payment and bill that was moved, newest first. Who looks is recorded first. */
export function StoredRows({ account }: { account: OutputOf<'accounts.getMasked'> }) {
  const show = useRows(account);
  const mayChange = useMayChange();
  const { transactions, statements } = account.figures;
  const kinds = [
    ...(transactions.count > 0 ? (['transactions'] as const) : []),
    ...(statements.count > 0 ? (['statements'] as const) : []),
  ];
  if (kinds.length === 0 || !mayChange) return null;
  return (
    <Panel title="Transactions and statements" aside={<span className={text.faint}>who looks is recorded</span>}>
      <Row>
        {kinds.map((kind) => (
          <Button key={kind} isPending={show.isPending} onPress={() => show.mutate(kind)}>
            Show {kind}
          </Button>
        ))}
      </Row>
      <Refusal of={show.error} />
      {show.data !== undefined && <Shown of={show.data} />}
    </Panel>
  );
}

function Shown({ of: shown }: { of: Rows }) {
  const table =
    shown.kind === 'transactions' ? (
      <DataTable
        label="Transactions"
        rows={newestFirst(shown.rows, (row) => row.transaction_date)}
        columns={TRANSACTIONS}
        keyOf={(row) => `${row.transaction_id} ${row.copy ?? 1}`}
        empty="None."
      />
    ) : (
      <DataTable
        label="Statements"
        rows={newestFirst(shown.rows, (row) => row.issued_date ?? row.bill_period_to_date)}
        columns={STATEMENTS}
        keyOf={(row) => row.statement_id}
        empty="None."
      />
    );
  return (
    <>
      {table}
      {shown.rows.length === MOST_ROWS && <p>These are {count(MOST_ROWS)}; the command line reads all of them.</p>}
    </>
  );
}

function newestFirst<Row>(rows: readonly Row[], dateOf: (row: Row) => string): Row[] {
  return rows.toSorted((one, other) => dateOf(other).localeCompare(dateOf(one)));
}

function useRows({ import_supplier: import_supplier_code, external_account_number }: OutputOf<'accounts.getMasked'>) {
  return useMutation({
    mutationFn: async (kind: Kind) => {
      const asked = { import_supplier_code, external_account_number, limit: MOST_ROWS };
      return { kind, rows: await untyped.query(`accounts.${kind}`, asked) } as Rows;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['accounts.timeline'] }),
    // Not longer than the page is there.
    gcTime: 0,
  });
}
