import { getRouteApi } from '@tanstack/react-router';
import { CopyButton } from '../../components/copy-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { useSteadyRows } from '../../components/new-rows.tsx';
import { stateChoices } from '../../components/options.tsx';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import { ask } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useLive } from '../../data/use-live.ts';
import { useMayChange } from '../../data/use-role.ts';
import { count } from '../../format/numbers.ts';
import { type Delivery, sentenceOfDelivery } from './webhook-words.ts';
import styles from './webhooks.module.css';

const route = getRouteApi('/shell/organisations/$id/webhooks/$endpoint');
/** More nobody reads on a page. */
const MOST_DELIVERIES = 500;
const STATES = ['WAITING', 'DELIVERED', 'GIVEN_UP'] as const;
/** What is due so soon, or since then, is about to change; what is due for longer has to wait for its endpoint. */
const SOON_MS = 5_000;

const SHOWN_OF_ID = 12;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    name: 'Event',
    isWhole: true,
    cell: ({ event_type, message_id }) => (
      <>
        <code>{event_type}</code>
        <MessageId id={message_id} />
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    name: 'Outcome',
    cell: (delivery) => (
      <div className={text.sentences}>
        <span>
          <Sentence>{sentenceOfDelivery(delivery)}</Sentence>
        </span>
        {delivery.answer && <code className={`${text.faint} ${styles.answer}`}>{delivery.answer}</code>}
      </div>
    ),
  },
  { name: 'Attempted', hideBelow: 'narrow', cell: ({ last_attempted_at }) => <Time at={last_attempted_at} /> },
];

/** By its end the receiver finds it among its own; it is copied whole. */
function MessageId({ id }: { id: string }) {
  return (
    <div className={`${text.faint} ${styles.message}`}>
      <code title={id}>{id.slice(-SHOWN_OF_ID)}</code> <CopyButton text={id} name={`message id ${id}`} />
    </div>
  );
}

/** What happened to the messages, newest first. */
export function Deliveries({ endpoint: webhook_endpoint_id }: { endpoint: string }) {
  const search = route.useSearch();
  const state = STATES.find((each) => each === search.state);
  const deliveries = useLive(
    ask('dataImport.listWebhookDeliveries', { webhook_endpoint_id, limit: MOST_DELIVERIES, ...(state && { state }) }),
    (rows) => rows.some(isDueSoon),
  );
  return (
    <Panel title="Messages">
      <FilterBar filters={[{ name: 'state', label: 'State', choices: stateChoices(STATES) }]} search={{ state }} />
      <Read of={deliveries}>
        {(rows) => <Rows key={state} rows={rows} endpoint={webhook_endpoint_id} isFiltered={state !== undefined} />}
      </Read>
    </Panel>
  );
}

function isDueSoon({ next_attempt_at }: Delivery): boolean {
  return next_attempt_at !== null && Math.abs(Date.parse(next_attempt_at) - Date.now()) < SOON_MS;
}

interface RowsProps {
  rows: readonly Delivery[];
  endpoint: string;
  isFiltered: boolean;
}

function Rows({ rows, endpoint, isFiltered }: RowsProps) {
  const { steady, notice } = useSteadyRows(rows, ({ message_id }) => message_id);
  const mayChange = useMayChange();
  const action: Column<Delivery> = {
    name: 'Action',
    align: 'end',
    cell: (delivery) => <SendAgain endpoint={endpoint} delivery={delivery} />,
  };
  return (
    <>
      {notice}
      <DataTable
        label="Messages to this endpoint"
        rows={steady}
        columns={mayChange ? [...COLUMNS, action] : COLUMNS}
        keyOf={({ message_id }) => message_id}
        hasCards
        empty={isFiltered ? 'No messages match.' : 'Nothing was sent to it yet.'}
      />
      {rows.length === MOST_DELIVERIES && (
        <p className={text.faint}>These are the newest {count(MOST_DELIVERIES)}; the API has all of them.</p>
      )}
    </>
  );
}

interface SendAgainProps {
  endpoint: string;
  delivery: Delivery;
}

/** Sends a message again, whatever its outcome, once that is confirmed. */
function SendAgain({ endpoint: webhook_endpoint_id, delivery: { message_id, event_type } }: SendAgainProps) {
  const sendAgain = useAction('dataImport.sendWebhookAgain');
  return (
    <ConfirmButton
      label="Send again"
      variant="small"
      aria-label={`Send again: ${event_type}, ${message_id}`}
      title={`Send ${event_type} again`}
      perform={() => sendAgain.mutateAsync({ webhook_endpoint_id, message_id })}
    >
      <p>
        It has the same <code>webhook-id</code> as before, <code>{message_id}</code>: a receiver that has it already can
        tell.
      </p>
    </ConfirmButton>
  );
}
