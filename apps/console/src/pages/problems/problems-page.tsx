import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Path } from '../../components/path.tsx';
import { Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { UndeliveredEmails } from '../../components/undelivered-emails.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { count, counted } from '../../format/numbers.ts';
import { words } from '../../format/words.ts';
import { answerOf, type Migration, MOST_PROBLEMS, type Problem, pageOfProblem } from './problem.ts';
import styles from './problems.module.css';

const route = getRouteApi('/shell/problems');

const MIGRATIONS: readonly Column<Migration>[] = [
  { name: 'Import supplier', cell: ({ code }) => code },
  { name: 'Name', cell: ({ name }) => name, hideBelow: 'narrow' },
  { name: 'Status', cell: ({ status }) => <StateBadge state={status} />, hideBelow: 'narrow' },
  {
    name: 'Kinds of problem',
    cell: ({ sampled_at, open_problems }) => (sampled_at === null ? 'not counted yet' : count(open_problems)),
    align: 'end',
  },
];

const PROBLEMS: readonly Column<Problem>[] = [
  {
    name: 'Problem',
    cell: ({ code, attr }) => (
      <span className={styles.name}>
        {words(code)} {attr !== '' && <Path>{attr}</Path>}
      </span>
    ),
  },
  { name: 'Accounts', cell: ({ accounts }) => count(accounts), align: 'end' },
  {
    name: 'Step',
    isWhole: true,
    cell: ({ operation, refused, decision }) =>
      [words(operation), ...(refused ? [] : ['remarked only']), ...(decision === null ? [] : [words(decision)])].join(
        ', ',
      ),
    hideBelow: 'narrow',
  },
  { name: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} />, hideBelow: 'narrow' },
];

/** What keeps accounts from being complete? */
export function ProblemsPage() {
  const { code } = route.useSearch();
  const migrations = useQuery(ask('overview.migrations', undefined));
  const choices = (migrations.data ?? []).map(({ code: value }) => ({ value, name: value }));
  return (
    <>
      {code === undefined ? (
        <PageHeader title="Problems" question={answerOf(migrations.data)} />
      ) : (
        <ProblemsHeader code={code} />
      )}
      <FilterBar filters={[{ name: 'code', label: 'Import supplier', choices }]} search={{ code }} />
      {code === undefined ? (
        <Read of={migrations}>
          {(rows) => (
            <DataTable
              label="Problems of import suppliers"
              rows={rows.toSorted((one, other) => other.open_problems - one.open_problems)}
              columns={MIGRATIONS}
              keyOf={(migration) => migration.code}
              linkOf={(migration) => ({ to: '/problems', search: { code: migration.code } })}
              empty="There is no import supplier yet."
            />
          )}
        </Read>
      ) : (
        <ProblemsOfSupplier code={code} />
      )}
    </>
  );
}

function useProblems(code: string) {
  return useLive(ask('dataImport.listProblems', { import_supplier_code: code, limit: MOST_PROBLEMS }));
}

function ProblemsHeader({ code }: { code: string }) {
  const problems = useProblems(code);
  return (
    <PageHeader
      title={`Problems of ${code}`}
      question={
        <>
          {problems.data && `${counted(problems.data.length, 'kind')} of problem, those of most accounts first. `}
          <Link to="/migrations/$code" params={{ code }}>
            See the migration
          </Link>
        </>
      }
      updated={<UpdatedAgo at={problems.dataUpdatedAt} />}
    />
  );
}

function ProblemsOfSupplier({ code }: { code: string }) {
  const problems = useProblems(code);
  return (
    <Read of={problems}>
      {(rows) => (
        <>
          <UndeliveredEmails code={code} />
          <DataTable
            label={`Problems of ${code}`}
            rows={rows}
            columns={PROBLEMS}
            keyOf={(problem) => `${problem.operation} ${problem.refused} ${problem.code} ${problem.attr}`}
            linkOf={(problem) => pageOfProblem(code, problem)}
            empty={<>Nothing of {code} is refused. What was refused before has succeeded since.</>}
          />
        </>
      )}
    </Read>
  );
}
