import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { namedChoices } from '../../components/options.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useAction } from '../../data/use-action.ts';
import { useOrganisations } from '../../data/use-organisations.ts';
import { IssueKey } from './issue-key.tsx';
import { mayOf, STAFF, whoseStaffKey } from './key-words.ts';

type Key = OutputOf<'apiKeys.list'>[number];

const route = getRouteApi('/shell/keys');

/** Who can log in, and with what? */
export function KeysPage() {
  const search = route.useSearch();
  const keys = useQuery(askAll('apiKeys.list'));
  const { choices, nameOf } = useOrganisations();
  const owners = [...choices, { value: STAFF, name: 'the service team' }];
  const isShown = ({ organisation_id, revoked_at }: Key) =>
    (search.organisation === undefined || (organisation_id ?? STAFF) === search.organisation) &&
    (search.works === undefined || (revoked_at === null) === (search.works === 'yes'));
  return (
    <>
      <PageHeader
        title="API keys"
        question="Who can log in, and with what?"
        actions={<IssueKey owners={owners} owner={search.organisation} />}
      />
      <FilterBar
        filters={[
          { name: 'organisation', label: 'Belongs to', choices: owners },
          { name: 'works', label: 'State', choices: namedChoices({ yes: 'active', no: 'revoked' }) },
        ]}
        search={search}
      />
      <Read of={keys}>
        {(all) => (
          <DataTable
            label="API keys"
            rows={all.filter(isShown)}
            columns={columnsWith(nameOf)}
            keyOf={({ id }) => id}
            hasCards
            empty="No keys match. Clear the filter to see all keys."
          />
        )}
      </Read>
    </>
  );
}

function columnsWith(nameOf: (id: string) => string): readonly Column<Key>[] {
  return [
    { name: 'Key', cell: ({ label }) => label },
    { name: 'Belongs to', cell: (key) => ownerOf(key, nameOf) },
    { name: 'May', hideBelow: 'medium', cell: ({ role }) => mayOf(role) },
    {
      name: 'State',
      cell: ({ revoked_at }) => <StateBadge state={revoked_at === null ? 'ACTIVE' : 'REVOKED'} />,
    },
    { name: 'Issued', hideBelow: 'medium', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      name: 'Audit',
      hideBelow: 'medium',
      cell: (key) => (
        <Link to="/audit" search={trailOf(key)} aria-label={`trail of ${key.label}`}>
          trail
        </Link>
      ),
    },
    { name: 'Action', align: 'end', cell: (key) => (key.revoked_at === null ? <RevokeKey apiKey={key} /> : '') },
  ];
}

function ownerOf({ organisation_id: id, person }: Key, nameOf: (id: string) => string): string {
  return id === null ? whoseStaffKey(person) : nameOf(id);
}

/** Of a key of the service team, what was done with it; of another, what was done to it. */
function trailOf({ id, organisation_id }: Key) {
  return organisation_id === null ? { key: id } : { subject: 'api_key', id };
}

/** Revokes a key, for good: its name has to be typed. */
function RevokeKey({ apiKey: { id, label } }: { apiKey: OutputOf<'apiKeys.list'>[number] }) {
  const revoke = useAction('apiKeys.revoke');
  return (
    <ConfirmButton
      label="Revoke"
      variant="small"
      aria-label={`Revoke ${label}`}
      title={`Revoke ${label}`}
      typed={label}
      perform={() => revoke.mutateAsync({ id })}
    >
      <p>Within 5 seconds it stops working everywhere, and anyone who is logged in with it is logged out.</p>
    </ConfirmButton>
  );
}
