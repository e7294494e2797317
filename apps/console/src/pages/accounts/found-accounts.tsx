import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useMayChange } from '../../data/use-role.ts';
import { counted } from '../../format/numbers.ts';
import { AccountState } from './account-state.tsx';
import styles from './accounts.module.css';

type Match = OutputOf<'accountImports.find'>['matches'][number];

const MATCHED: Record<Match['matched'], string> = {
  external_account_number: 'old number',
  service_account_number: 'new number',
  request_id: 'request',
  email: 'e-mail address',
  name: 'name',
};

const COLUMNS: readonly Column<Match>[] = [
  { name: 'Old number', cell: (match) => match.external_account_number },
  { name: 'New number', isWhole: true, cell: (match) => match.service_account_number ?? '–' },
  { name: 'State', cell: (match) => <AccountState of={match} /> },
  { name: 'Import supplier', cell: ({ code }) => code, hideBelow: 'narrow' },
  { name: 'Found by', cell: ({ matched }) => MATCHED[matched], hideBelow: 'narrow' },
];

/** What was refused before it was ever staged is no account: only the page of its number has it. */
function Refused({ q, code }: { q: string; code: string | undefined }) {
  if (code === undefined) return <p>Choose its import supplier to see what was refused of such a number.</p>;
  return (
    <p>
      <Link to="/accounts/$code/$number" params={{ code, number: q }}>
        What was refused of {q}, if it is a number of {code}
      </Link>
    </p>
  );
}

/** What was found by anything that a customer or an import supplier can tell. */
export function FoundAccounts({ q, code }: { q: string; code: string | undefined }) {
  const mayFindByParts = useMayChange();
  const found = useQuery(ask('accountImports.find', { text: q, ...(code !== undefined && { code }) }));
  return (
    <Read of={found}>
      {({ matches, more }) => (
        <>
          <p role="status" className={styles.found}>
            {matches.length > 0 && `${counted(matches.length, 'account')} found.`}
            {more && ' There may be more: type more of it.'}
          </p>
          <DataTable
            label="Accounts found"
            rows={matches}
            columns={COLUMNS}
            keyOf={(match) => `${match.code} ${match.external_account_number}`}
            linkOf={(match) => ({
              to: '/accounts/$code/$number',
              params: { code: match.code, number: match.external_account_number },
            })}
            empty={
              <Empty>
                <p>No account begins with “{q}”.</p>
                <p>
                  Names and e-mail addresses are known of created accounts only: look for a staged one by its number. A
                  request id has to be whole.
                  {!mayFindByParts && ' With a read-only key names and e-mail addresses have to be whole too.'}
                </p>
                <Refused q={q} code={code} />
              </Empty>
            }
          />
        </>
      )}
    </Read>
  );
}
