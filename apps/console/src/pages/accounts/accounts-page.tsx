import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { type Filter, FilterBar } from '../../components/filter-bar.tsx';
import { namedChoices, stateChoices } from '../../components/options.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Read } from '../../components/read.tsx';
import text from '../../components/text.module.css';
import { ask, type OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useMayChange } from '../../data/use-role.ts';
import { counted } from '../../format/numbers.ts';
import { AccountState } from './account-state.tsx';
import styles from './accounts.module.css';
import { ListedAccounts } from './listed-accounts.tsx';
import { type AccountsSearch, STATES } from './search.ts';

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
function FoundAccounts({ q, code }: { q: string; code: string | undefined }) {
  const mayFindByParts = useMayChange();
  const found = useQuery(ask('accountImports.find', { text: q, ...(code !== undefined && { code }) }));
  return (
    <Read of={found}>
      {({ matches, more }) => (
        <>
          <p role="status" className={`${text.faint} ${styles.found}`}>
            {matches.length > 0 && `${counted(matches.length, 'account')} found.`}
            {more && ' There may be more: type more characters.'}
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
              <>
                <p>No account begins with “{q}”.</p>
                <p>
                  Names and e-mail addresses are known of created accounts only: look for a staged one by its number. A
                  request id has to be whole.
                  {!mayFindByParts && ' With a read-only key names and e-mail addresses have to be whole too.'}
                </p>
                <Refused q={q} code={code} />
              </>
            }
          />
        </>
      )}
    </Read>
  );
}

const route = getRouteApi('/shell/accounts');

const OF_ONE_SUPPLIER: readonly Filter<keyof AccountsSearch>[] = [
  { name: 'state', label: 'State', choices: stateChoices(STATES) },
  {
    name: 'complete',
    label: 'Refused parts',
    choices: namedChoices({ yes: 'created, none refused', no: 'created, some refused' }),
  },
];

/** Where is this customer? */
export function AccountsPage() {
  const search = route.useSearch();
  const { data: suppliers = [] } = useQuery(askAll('importSuppliers.list'));
  const filters: readonly Filter<keyof AccountsSearch>[] = [
    { name: 'q', label: 'Find', placeholder: 'Number, name, e-mail, request id' },
    { name: 'code', label: 'Import supplier', choices: suppliers.map(({ code }) => ({ value: code, name: code })) },
    ...(search.code === undefined ? [] : OF_ONE_SUPPLIER),
  ];
  return (
    <>
      <PageHeader title="Accounts" question="Where is this customer?" />
      <FilterBar filters={filters} search={search} />
      <Accounts search={search} />
    </>
  );
}

/** Who searches wants the customer, by whatever they know; who filters wants the list. */
function Accounts({ search: { q, code, state, complete } }: { search: AccountsSearch }) {
  if (code !== undefined && (q === undefined || state !== undefined || complete !== undefined)) {
    return <ListedAccounts code={code} q={q} state={state} complete={complete} />;
  }
  if (q !== undefined) return <FoundAccounts q={q} code={code} />;
  return (
    <Empty>
      <WhatToType />
      <p>Or choose an import supplier to see all of its accounts.</p>
    </Empty>
  );
}

/** A read-only key finds nobody by a part of what is hidden from it. */
function WhatToType() {
  return useMayChange() ? (
    <p>Type the beginning of an old or a new account number, of a name or an e-mail address, or a whole request id.</p>
  ) : (
    <p>
      Type the beginning of an old or a new account number, or a whole name, e-mail address or request id: a read-only
      key finds nobody by a part of them.
    </p>
  );
}
