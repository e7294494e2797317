import { Link } from '@tanstack/react-router';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Path } from '../../components/path.tsx';
import { Read } from '../../components/read.tsx';
import { UndeliveredEmails } from '../../components/undelivered-emails.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { count } from '../../format/numbers.ts';
import { words } from '../../format/words.ts';
import { pageOfProblem } from '../problems/problem.ts';
import styles from './problems-panel.module.css';

type Problem = OutputOf<'dataImport.listProblems'>[number];

const SHOWN = 10;
/** The page of the problem has all of them. */
const SAMPLES = 2;

/** Why accounts are not complete: by kind and field, those of most accounts first. */
export function ProblemsPanel({ code }: { code: string }) {
  const problems = useLive(ask('dataImport.listProblems', { import_supplier_code: code, limit: SHOWN }));
  return (
    <Panel
      title="Open problems"
      aside={
        problems.data?.length === SHOWN && (
          <Link to="/problems" search={{ code }}>
            All problems
          </Link>
        )
      }
    >
      <UndeliveredEmails code={code} />
      <Read of={problems}>
        {(rows) => (
          <DataTable
            label="Problems"
            hasCards
            rows={rows}
            keyOf={(problem) => [problem.operation, problem.refused, problem.code, problem.attr].join(' ')}
            linkOf={(problem) => pageOfProblem(code, problem)}
            columns={[
              { name: 'Problem', cell: ({ code: kind }) => words(kind) },
              { name: 'Field', cell: ({ attr }) => (attr === '' ? '–' : <Path>{attr}</Path>) },
              {
                name: 'Step',
                hideBelow: 'narrow',
                cell: ({ operation, refused, decision }) =>
                  [
                    words(operation),
                    ...(refused ? [] : ['remarked only']),
                    ...(decision === null ? [] : [words(decision)]),
                  ].join(', '),
              },
              { name: 'Accounts', align: 'end', cell: ({ accounts }) => count(accounts) },
              {
                name: 'Such as',
                hideBelow: 'medium',
                isWhole: true,
                cell: (problem) => <Samples code={code} problem={problem} />,
              },
            ]}
            empty="No account has a problem."
          />
        )}
      </Read>
    </Panel>
  );
}

function Samples({ code, problem }: { code: string; problem: Problem }) {
  return (
    <span className={styles.samples}>
      {problem.sample_account_numbers.slice(0, SAMPLES).map((number) => (
        <Link key={number} to="/accounts/$code/$number" params={{ code, number }}>
          {number}
        </Link>
      ))}
    </span>
  );
}
