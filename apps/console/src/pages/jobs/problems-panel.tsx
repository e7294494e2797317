import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { Path } from '../../components/path.tsx';
import { Read } from '../../components/read.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { count } from '../../format/numbers.ts';
import { words } from '../../format/words.ts';
import { pageOfProblem } from '../problems/problem.ts';
import { isMoving, type Job } from './job-words.ts';

/** The page of the problem has all of them. */
const SAMPLES = 2;

type Problem = OutputOf<'dataImport.bulkJobErrors'>[number];

/** Which problems its lines have, those of most lines first, with samples. */
export function ProblemsPanel({ job }: { job: Job }) {
  const problems = useLive(ask('dataImport.bulkJobErrors', { job_id: job.id }), () => isMoving(job));
  return (
    <Panel title="Problems">
      <Read of={problems}>
        {(rows) => (
          <DataTable
            label="Problems of the lines"
            hasCards
            rows={rows}
            columns={columnsFor(job.import_supplier)}
            keyOf={({ operation, code, attr, refused }) => `${operation} ${code} ${attr} ${refused}`}
            linkOf={(problem) => pageOfProblem(job.import_supplier, problem)}
            empty={isMoving(job) ? 'No line has a problem so far.' : 'No line had a problem.'}
          />
        )}
      </Read>
    </Panel>
  );
}

function columnsFor(code: string): readonly Column<Problem>[] {
  return [
    { name: 'Problem', cell: (problem) => words(problem.code) },
    {
      name: 'Field',
      cell: ({ attr, description }) => (attr === '' ? '–' : <Path title={description ?? undefined}>{attr}</Path>),
    },
    { name: 'Lines', align: 'end', cell: ({ accounts }) => count(accounts) },
    { name: 'Outcome', hideBelow: 'narrow', cell: ({ refused }) => (refused ? 'refused' : 'accepted, reported only') },
    { name: 'Step', hideBelow: 'medium', cell: ({ operation }) => words(operation) },
    {
      name: 'Such as',
      hideBelow: 'narrow',
      isWhole: true,
      cell: ({ sample_account_numbers: numbers }) => <Samples code={code} numbers={numbers.slice(0, SAMPLES)} />,
    },
  ];
}

function Samples({ code, numbers }: { code: string; numbers: readonly string[] }) {
  return numbers.map((number, index) => (
    <span key={number}>
      {index > 0 && ', '}
      <Link to="/accounts/$code/$number" params={{ code, number }}>
        {number}
      </Link>
    </span>
  ));
}
