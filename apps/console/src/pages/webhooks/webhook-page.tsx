import { getRouteApi, Link } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Path } from '../../components/path.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { Row, Stack } from '../../components/stack.tsx';
import { Time } from '../../components/time.tsx';
import { TrailLink } from '../../components/trail-link.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useLive } from '../../data/use-live.ts';
import { useOrganisations } from '../../data/use-organisations.ts';
import { useMayChange } from '../../data/use-role.ts';
import { counted } from '../../format/numbers.ts';
import { Deliveries } from './deliveries.tsx';
import { type Endpoint, nameOfEndpoint, sentenceOfEndpoint } from './webhook-words.ts';
import { EndpointState } from './webhooks-page.tsx';

const route = getRouteApi('/shell/organisations/$id/webhooks/$endpoint');

/** What happened to the messages to one endpoint? */
export function WebhookPage() {
  const { id: organisation, endpoint: id } = route.useParams();
  const endpoint = useLive(ask('dataImport.webhookEndpoint', { webhook_endpoint_id: id }));
  const read = endpoint.data;
  return (
    <>
      <PageHeader
        title={read === undefined ? 'Webhook' : nameOfEndpoint(read)}
        badge={read && <EndpointState of={read} />}
        question={read && <Sentence>{sentenceOfEndpoint(read)}</Sentence>}
        actions={read && <EndpointActions endpoint={read} />}
        updated={<UpdatedAgo at={endpoint.dataUpdatedAt} />}
      />
      <Read of={endpoint}>
        {(known) => (
          <Stack>
            <Facts organisation={organisation} endpoint={known} />
            <Deliveries key={known.id} endpoint={known.id} />
          </Stack>
        )}
      </Read>
    </>
  );
}

function Facts({ organisation, endpoint }: { organisation: string; endpoint: Endpoint }) {
  const { id, url, event_types, import_suppliers, waiting, last_delivered_at, previous_secret_until, created_at } =
    endpoint;
  const { nameOf } = useOrganisations();
  return (
    <Panel title="Endpoint" aside={<TrailLink subject="webhook_endpoint" id={id} />}>
      <KeyValues
        of={[
          [
            'Organisation',
            <Link key="organisation" to="/organisations/$id/webhooks" params={{ id: organisation }}>
              {nameOf(organisation)}
            </Link>,
          ],
          [
            'URL',
            <Path key="url" isUrl>
              {url}
            </Path>,
          ],
          ['Events', event_types.length === 0 ? 'all' : <EventTypes key="events" of={event_types} />],
          [
            'Import suppliers',
            import_suppliers.length === 0 ? 'all' : <ImportSuppliers key="suppliers" of={import_suppliers} />,
          ],
          ['Waiting to be sent again', counted(waiting, 'message')],
          ['Last accepted', <Time key="last" at={last_delivered_at} />],
          [
            'Signed with the previous secret until',
            previous_secret_until === null ? undefined : <Time key="until" at={previous_secret_until} />,
          ],
          ['Created', <Time key="created" at={created_at} />],
        ]}
      />
    </Panel>
  );
}

function ImportSuppliers({ of: codes }: { of: readonly string[] }) {
  return (
    <Row>
      {codes.map((code) => (
        <Link key={code} to="/suppliers/$code" params={{ code }}>
          {code}
        </Link>
      ))}
    </Row>
  );
}

function EventTypes({ of: types }: { of: readonly string[] }) {
  return (
    <ul>
      {types.map((type) => (
        <li key={type}>
          <Path>{type}</Path>
        </li>
      ))}
    </ul>
  );
}

/** Tests an endpoint or, where it is disabled, enables it again. */
function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const mayChange = useMayChange();
  const test = useAction('dataImport.testWebhookEndpoint');
  const update = useAction('dataImport.updateWebhookEndpoint');
  const { id: webhook_endpoint_id, state } = endpoint;
  const isDisabled = state === 'DISABLED';
  const [name, keys] = isDisabled ? (['Enable', 'e'] as const) : (['Send a test', 't'] as const);
  return (
    <ConfirmButton
      label={name}
      shortcut={keys}
      isAllowed={mayChange}
      title={`${name}: ${nameOfEndpoint(endpoint)}`}
      perform={() =>
        isDisabled
          ? update.mutateAsync({ webhook_endpoint_id, enabled: true })
          : test.mutateAsync({ webhook_endpoint_id })
      }
    >
      {isDisabled
        ? 'It resumes where it stopped, as far as the events are kept.'
        : 'A message of the type webhook.test is sent within a second or so. It tells nothing of any account.'}
    </ConfirmButton>
  );
}
