import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { More } from '../../components/more.tsx';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { type OutputOf, untyped } from '../../data/ask.ts';
import { saveBlob } from '../../data/save-file.ts';
import { count } from '../../format/numbers.ts';
import { keyOf, linesOf, type ProblemAccount } from './problem.ts';
import { type ProblemOfSupplier, useAccountsWith } from './use-accounts-with.ts';

/** One call of the service: a browser need not hold more. */
const MOST_LINES = 10_000;

const COLUMNS: readonly Column<ProblemAccount>[] = [
  { name: 'Old number', cell: (account) => account.external_account_number },
  { name: 'New number', isWhole: true, cell: (account) => account.service_account_number ?? '–', hideBelow: 'narrow' },
  { name: 'State', cell: ({ state }) => <StateBadge state={state ?? 'NEVER_STAGED'} /> },
  { name: 'Times', cell: ({ times }) => count(times), align: 'end' },
  { name: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} />, hideBelow: 'narrow' },
];

/** Every account that has a problem now, and the same as a file. */
export function ProblemAccounts({ supplier, problem }: ProblemOfSupplier) {
  const list = useAccountsWith({ supplier, problem });
  return (
    <Panel title="Accounts with it" aside={<Download supplier={supplier} problem={problem} />}>
      <Read of={list}>
        {(rows) => (
          <>
            <DataTable
              label="Accounts with this problem"
              rows={rows}
              columns={COLUMNS}
              keyOf={(account) => account.external_account_number}
              linkOf={({ external_account_number: number }) => ({
                to: '/accounts/$code/$number',
                params: { code: supplier, number },
              })}
              empty="No account has it any more."
            />
            <More of={list} />
          </>
        )}
      </Read>
    </Panel>
  );
}

function Download({ supplier, problem }: ProblemOfSupplier) {
  const key = keyOf(problem);
  const download = useMutation({
    mutationFn: async () => {
      const asked = { code: supplier, problem: key, limit: MOST_LINES };
      const accounts = await untyped.query('accountImports.listByProblem', asked);
      const lines = linesOf(key, accounts as OutputOf<'accountImports.listByProblem'>);
      saveBlob(`${supplier}-${key.code}.ndjson`, new Blob([lines], { type: 'application/x-ndjson' }));
    },
  });
  const isPart = problem.accounts > MOST_LINES;
  return (
    <div>
      <Button isPending={download.isPending} onPress={() => download.mutate()}>
        Download {isPart ? `the first ${count(MOST_LINES)}` : 'all'} as NDJSON
      </Button>
      <Refusal of={download.error} />
    </div>
  );
}
