import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Path } from '../../components/path.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { useOrganisations } from '../../data/use-organisations.ts';
import { count } from '../../format/numbers.ts';
import { type Endpoint, isFailing, nameOfEndpoint, sentenceOfEndpoint } from './webhook-words.ts';

const route = getRouteApi('/shell/organisations/$id/webhooks');

const COLUMNS: readonly Column<Endpoint>[] = [
  { name: 'Endpoint', cell: nameOfEndpoint },
  { name: 'State', cell: (endpoint) => <EndpointState of={endpoint} /> },
  { name: 'URL', hideBelow: 'medium', cell: ({ url }) => <Path isUrl>{url}</Path> },
  {
    name: 'Import suppliers',
    hideBelow: 'narrow',
    cell: ({ import_suppliers: codes }) => (codes.length === 0 ? 'all' : codes.join(', ')),
  },
  { name: 'Health', cell: (endpoint) => <Sentence>{sentenceOfEndpoint(endpoint)}</Sentence> },
  { name: 'Waiting', align: 'end', hideBelow: 'medium', cell: ({ waiting }) => count(waiting) },
];

/** Where are the events of an organisation sent, and do they arrive? */
export function WebhooksPage() {
  const { id } = route.useParams();
  const { nameOf } = useOrganisations();
  const endpoints = useLive(ask('dataImport.listWebhookEndpoints', { organisation_id: id }));
  return (
    <>
      <PageHeader
        title={`Webhooks of ${nameOf(id)}`}
        question="Where are its events sent, and do they arrive?"
        updated={<UpdatedAgo at={endpoints.dataUpdatedAt} />}
      />
      <Read of={endpoints}>
        {(rows) => (
          <DataTable
            label="Webhook endpoints"
            rows={rows}
            columns={COLUMNS}
            keyOf={(endpoint) => endpoint.id}
            hasCards
            linkOf={(endpoint) => ({
              to: '/organisations/$id/webhooks/$endpoint',
              params: { id, endpoint: endpoint.id },
            })}
            empty={
              <>
                It has no endpoint, so nothing is sent. Its own program creates one: <a href="/docs">the reference</a>{' '}
                says how.
              </>
            }
          />
        )}
      </Read>
    </>
  );
}

/** An endpoint that fails is enabled still: both are said. */
export function EndpointState({ of: endpoint }: { of: Endpoint }) {
  return isFailing(endpoint) ? <StateBadge state="failing" tone="attention" /> : <StateBadge state={endpoint.state} />;
}
