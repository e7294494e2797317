import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { Stack } from '../../components/stack.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { StateBar } from '../../components/state-bar.tsx';
import { Time } from '../../components/time.tsx';
import { TrailLink } from '../../components/trail-link.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useLive } from '../../data/use-live.ts';
import { useOrganisations } from '../../data/use-organisations.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { SupplierPlaces } from './supplier-places.tsx';

type Status = OutputOf<'importSuppliers.get'>['status'];

const NAMES: Record<Status, string> = { ONGOING: 'Set ongoing', PAUSED: 'Pause', COMPLETE: 'Complete' };
const SENTENCES: Record<Status, string> = {
  ONGOING: 'Accounts are accepted again.',
  PAUSED: 'Accounts are refused until it is ongoing again; its jobs wait.',
  COMPLETE: 'Accounts are refused: no more are expected.',
};
const NEXT: Record<Status, readonly Status[]> = {
  ONGOING: ['PAUSED', 'COMPLETE'],
  PAUSED: ['ONGOING', 'COMPLETE'],
  COMPLETE: ['ONGOING'],
};

/** Pauses, completes and reopens an import supplier. */
function StatusActions({ code, status }: { code: string; status: Status }) {
  const [wanted, setWanted] = useState<Status>();
  return (
    <>
      {NEXT[status].map((next) => (
        <Button key={next} onPress={() => setWanted(next)}>
          {NAMES[next]}
        </Button>
      ))}
      {wanted && <Confirm code={code} from={status} to={wanted} onClose={() => setWanted(undefined)} />}
    </>
  );
}

interface ConfirmProps {
  code: string;
  from: Status;
  to: Status;
  onClose(): void;
}

/** Completing without readiness, and reopening, want a reason: the audit trail has it. */
function Confirm({ code, from, to, onClose }: ConfirmProps) {
  const setStatus = useAction('importSuppliers.setStatus');
  const readiness = useQuery({ ...ask('overview.readiness', { code }), enabled: to === 'COMPLETE' });
  const missing = readiness.data?.conditions.filter(({ ok }) => !ok) ?? [];
  const isReasonRequired = missing.length > 0 || from === 'COMPLETE';
  return (
    <ConfirmDialog
      title={`${NAMES[to]}: ${code}`}
      confirm={NAMES[to]}
      onClose={onClose}
      reason={isReasonRequired ? 'required' : 'optional'}
      typed={to === 'COMPLETE' ? code : undefined}
      perform={(reason) => setStatus.mutateAsync({ code, status: to, ...(reason !== '' && { reason }) })}
    >
      <p>{SENTENCES[to]}</p>
      {missing.length > 0 && (
        <>
          <p>It is not ready. Say why it is completed anyway:</p>
          <ul aria-label="Conditions that are not met">
            {missing.map(({ name, sentence }) => (
              <li key={name}>
                <Sentence>{sentence}</Sentence>
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  );
}

type Supplier = OutputOf<'importSuppliers.get'>;

const route = getRouteApi('/shell/suppliers/$code');

/** How is this supplier set up? */
export function SupplierPage() {
  const { code } = route.useParams();
  const supplier = useLive(ask('importSuppliers.get', { code }));
  return (
    <>
      <PageHeader
        title={code}
        badge={supplier.data && <StateBadge state={supplier.data.status} />}
        question={supplier.data?.name}
        actions={supplier.data && <StatusActions code={code} status={supplier.data.status} />}
        updated={<UpdatedAgo at={supplier.dataUpdatedAt} />}
      />
      <SupplierPlaces code={code} />
      <Read of={supplier}>
        {(read) => (
          <Stack>
            <Facts supplier={read} />
            <SettingsPanel key={read.code} supplier={read} />
          </Stack>
        )}
      </Read>
    </>
  );
}

function Facts({ supplier }: { supplier: Supplier }) {
  const { code, counts, document_location: documents, organisation_id: organisation, created_at } = supplier;
  const { nameOf } = useOrganisations();
  return (
    <Panel title="Accounts" aside={<Elsewhere code={code} />}>
      <StateBar counts={counts} hasLegend />
      <KeyValues
        of={[
          ['Organisation', <Organisation key="organisation" id={organisation} name={nameOf(organisation)} />],
          ['Documents', <code key="documents">{documents}</code>],
          ['Created', <Time key="created" at={created_at} />],
        ]}
      />
    </Panel>
  );
}

/** Its keys and webhooks are what an administrator looks for next. */
function Organisation({ id, name }: { id: string; name: string }) {
  return (
    <>
      {name}:{' '}
      <Link to="/keys" search={{ organisation: id }}>
        keys
      </Link>
      ,{' '}
      <Link to="/organisations/$id/webhooks" params={{ id }}>
        webhooks
      </Link>
    </>
  );
}

function Elsewhere({ code }: { code: string }) {
  return (
    <span>
      <Link to="/migrations/$code" params={{ code }}>
        Migration
      </Link>
      {' · '}
      <TrailLink subject="import_supplier" code={code} />
    </span>
  );
}
