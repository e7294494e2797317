import { getRouteApi, Link } from '@tanstack/react-router';
import { CopyButton } from '../../components/copy-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Meaning } from '../../components/meaning.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Path } from '../../components/path.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { Time } from '../../components/time.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { count, counted } from '../../format/numbers.ts';
import { capitalised, words } from '../../format/words.ts';
import { DecideRemark } from './decide-remark.tsx';
import { isSame, letterOf, MOST_PROBLEMS, type Problem } from './problem.ts';
import { ProblemAccounts } from './problem-accounts.tsx';
import styles from './problems.module.css';
import { SkipThese } from './skip-these.tsx';

const route = getRouteApi('/shell/migrations/$code/problems/$operation/$problem');

/** A bulk job names the step that was refused; of an account it is remembered as its line, or its creation. */
const OF_LINES = ['line', 'process'];

/** What has to be fixed, and where? */
export function ProblemPage() {
  const { code: supplier, operation, problem: code } = route.useParams();
  const { attr = '', reported } = route.useSearch();
  const problems = useLive(ask('dataImport.listProblems', { import_supplier_code: supplier, limit: MOST_PROBLEMS }));
  const key = { operation, code, attr, refused: reported !== true };
  return (
    <Read of={problems}>
      {(rows) => {
        const found = rows.filter((row) =>
          [operation, ...OF_LINES].some((each) => isSame(row, { ...key, operation: each })),
        );
        if (found.length === 0) return <NoProblem supplier={supplier} code={code} />;
        return found.map((problem) => (
          <KnownProblem
            key={problem.operation}
            supplier={supplier}
            problem={problem}
            updatedAt={problems.dataUpdatedAt}
          />
        ));
      }}
    </Read>
  );
}

function Title({ code, attr }: { code: string; attr: string }) {
  if (attr === '') return capitalised(words(code));
  return (
    <>
      {capitalised(words(code))} in <Path>{attr}</Path>
    </>
  );
}

/** What was fixed everywhere is good news, and no error. */
function NoProblem({ supplier, code }: { supplier: string; code: string }) {
  return (
    <>
      <PageHeader title={words(code)} question={`No account of ${supplier} has this problem now.`} />
      <Empty>
        Every account that had it has succeeded since, was skipped or was erased.{' '}
        <Link to="/problems" search={{ code: supplier }}>
          Other problems of {supplier}
        </Link>
      </Empty>
    </>
  );
}

function Whose({ supplier, accounts }: { supplier: string; accounts: number }) {
  return (
    <>
      {counted(accounts, 'account')} of{' '}
      <Link to="/migrations/$code" params={{ code: supplier }}>
        {supplier}
      </Link>
      .{' '}
      <Link to="/problems" search={{ code: supplier }}>
        See all its problems
      </Link>
    </>
  );
}

interface KnownProblemProps {
  supplier: string;
  problem: Problem;
  updatedAt: number;
}

function KnownProblem({ supplier, problem, updatedAt }: KnownProblemProps) {
  const { code, attr, operation, refused, accounts, first_seen_at, last_seen_at, decision, reason } = problem;
  const letter = letterOf(supplier, problem);
  return (
    <>
      <PageHeader
        title={<Title code={code} attr={attr} />}
        tabTitle={words(code)}
        question={<Whose supplier={supplier} accounts={accounts} />}
        actions={
          refused ? (
            <SkipThese supplier={supplier} problem={problem} />
          ) : (
            <DecideRemark supplier={supplier} problem={problem} />
          )
        }
        updated={<UpdatedAgo at={updatedAt} />}
      />
      <div className={styles.page}>
        <Panel title="What has to be fixed">
          <Meaning code={code} refused={refused} />
          <KeyValues
            of={[
              ['Field', attr === '' ? 'none: the request as a whole' : <Path key="attr">{attr}</Path>],
              [
                'Rule',
                <a key="rule" href={`/docs/errors#${code}`}>
                  <Path>{code}</Path>
                </a>,
              ],
              ['Step', `${words(operation)}${refused ? '' : ', accepted and remarked only'}`],
              ...(decision === null ? [] : [['Decision', `${words(decision)}: ${reason}`] as const]),
              ['Accounts', count(accounts)],
              ['First seen', <Time key="first" at={first_seen_at} />],
              ['Last seen', <Time key="last" at={last_seen_at} />],
            ]}
          />
        </Panel>
        <Panel title="Text for the supplier's engineer" aside={<CopyButton text={letter} name="text" />}>
          <pre className={styles.letter}>{letter}</pre>
        </Panel>
        <ProblemAccounts supplier={supplier} problem={problem} />
      </div>
    </>
  );
}
