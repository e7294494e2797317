import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type Filter, FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty } from '../../components/read.tsx';
import { askAll } from '../../data/list-all.ts';
import { useMayChange } from '../../data/use-role.ts';
import { FoundAccounts } from './found-accounts.tsx';
import { ListedAccounts } from './listed-accounts.tsx';
import type { AccountsSearch } from './search.ts';

const route = getRouteApi('/shell/accounts');

const OF_ONE_SUPPLIER: readonly Filter<keyof AccountsSearch>[] = [
  {
    kind: 'choice',
    name: 'state',
    label: 'State',
    choices: ['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED'].map((value) => ({ value, name: value.toLowerCase() })),
  },
  {
    kind: 'choice',
    name: 'complete',
    label: 'Refused parts',
    choices: [
      { value: 'yes', name: 'created, none refused' },
      { value: 'no', name: 'created, some refused' },
    ],
  },
];

/** Where is this customer? */
export function AccountsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: suppliers = [] } = useQuery(askAll('importSuppliers.list'));
  const change = useCallback(
    (changed: Partial<Record<keyof AccountsSearch, string | undefined>>) =>
      void navigate({ search: (before) => ({ ...before, ...changed }) as AccountsSearch, replace: true }),
    [navigate],
  );
  const filters: readonly Filter<keyof AccountsSearch>[] = [
    { kind: 'text', name: 'q', label: 'Find', placeholder: 'Number, name, e-mail, request id' },
    {
      kind: 'choice',
      name: 'code',
      label: 'Import supplier',
      choices: suppliers.map(({ code }) => ({ value: code, name: code })),
    },
    ...(search.code === undefined ? [] : OF_ONE_SUPPLIER),
  ];
  return (
    <>
      <PageHeader title="Accounts" question="Where is this customer?" />
      <FilterBar filters={filters} search={search} onChange={change} />
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
