import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { SaveButton } from '../../components/save-button.tsx';
import { Stack } from '../../components/stack.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { TrailLink } from '../../components/trail-link.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useLive } from '../../data/use-live.ts';
import { DifferencesPanel } from './differences-panel.tsx';
import type { Reconciliation } from './figures.ts';
import { ProofPanel } from './proof-panel.tsx';
import { SignOff } from './sign-off.tsx';
import { TotalsPanel } from './totals-panel.tsx';
import { VerdictPanel } from './verdict-panel.tsx';

const route = getRouteApi('/shell/reconciliations/$id');

/** Is it all there, to the penny? */
export function ReconciliationPage() {
  const { id } = route.useParams();
  const read = useLive(ask('dataImport.reconciliation', { reconciliation_id: id }), hasNotEnded);
  if (read.data === undefined) {
    return (
      <>
        <PageHeader title="Reconciliation" />
        <Read of={read}>{() => null}</Read>
      </>
    );
  }
  return <ReconciliationOnPage reconciliation={read.data} updatedAt={read.dataUpdatedAt} />;
}

function ReconciliationOnPage({ reconciliation, updatedAt }: { reconciliation: Reconciliation; updatedAt: number }) {
  const { import_supplier: code, state, verdict, manifest_id } = reconciliation;
  const manifest = useQuery(ask('dataImport.manifest', { manifest_id }));
  return (
    <>
      <PageHeader
        title={`Reconciliation of ${code}`}
        badge={<StateBadge state={verdict ?? state} />}
        question={
          <>
            Is all of{' '}
            <Link to="/migrations/$code" params={{ code }}>
              {code}
            </Link>{' '}
            there, to the penny?
          </>
        }
        actions={<Actions of={reconciliation} />}
        updated={<UpdatedAgo at={updatedAt} />}
      />
      <Stack>
        <VerdictPanel reconciliation={reconciliation} manifest={manifest.data} />
        {reconciliation.totals !== null && <TotalsPanel totals={reconciliation.totals} />}
        {reconciliation.differences !== null && <DifferencesPanel reconciliation={reconciliation} />}
        <PeoplePanel reconciliation={reconciliation} manifest={manifest.data} />
        {state === 'FINISHED' && <ProofPanel reconciliation={reconciliation} manifest={manifest.data} />}
      </Stack>
    </>
  );
}

function Actions({ of: reconciliation }: { of: Reconciliation }) {
  const { id, state, signed_off: signedOff } = reconciliation;
  if (hasNotEnded(reconciliation)) return <CancelReconciliation reconciliation={reconciliation} />;
  if (state !== 'FINISHED') return null;
  return (
    <>
      {signedOff === null && <SignOff reconciliation={reconciliation} />}
      <SaveButton path={`/v1/data-import/reconciliations/${id}/report/`} name={`reconciliation-${id.slice(0, 8)}.jws`}>
        Signed report
      </SaveButton>
      <Button onPress={() => print()}>Print</Button>
    </>
  );
}

function hasNotEnded({ state }: Pick<Reconciliation, 'state'>): boolean {
  return state === 'PLANNING' || state === 'RUNNING';
}

/** Ends a comparison that has no verdict yet. */
function CancelReconciliation({ reconciliation: { id, import_supplier } }: { reconciliation: Reconciliation }) {
  const cancel = useAction('dataImport.cancelReconciliation');
  return (
    <ConfirmButton
      label="Cancel it"
      title={`Cancel the reconciliation of ${import_supplier}`}
      perform={() => cancel.mutateAsync({ reconciliation_id: id })}
    >
      <p>It will have no verdict. Another one can be asked for at any time.</p>
    </ConfirmButton>
  );
}

type Manifest = OutputOf<'dataImport.manifest'>;

interface PeoplePanelProps {
  reconciliation: Reconciliation;
  manifest: Manifest | undefined;
}

/** Who has counted, sealed and asked, and when. */
function PeoplePanel({ reconciliation, manifest }: PeoplePanelProps) {
  const { id, created_at, finished_at } = reconciliation;
  const trail = useQuery(ask('audit.list', { subject: 'reconciliation', id }));
  const asked = trail.data?.[0];
  return (
    <Panel title="Who and when" aside={<TrailLink subject="reconciliation" id={id} />}>
      <KeyValues
        of={[
          ['Counted by', manifest?.source_system],
          ['As of', <Time key="as-of" at={manifest?.as_of} />],
          ['Sealed by', manifest?.lodged_by && nameOf(manifest.lodged_by)],
          ['Sealed', <Time key="sealed" at={manifest?.sealed_at} />],
          ['Asked for by', asked && (asked.person ?? (asked.actor === 'staff' ? 'the service team' : 'the supplier'))],
          ['Asked for', <Time key="asked" at={created_at} />],
          ['Finished', <Time key="finished" at={finished_at} />],
        ]}
      />
    </Panel>
  );
}

function nameOf({ person, kind, api_key_label: label }: NonNullable<Manifest['lodged_by']>): string {
  return person ?? `${kind === 'staff' ? 'the service team' : 'the supplier'}, key ${label}`;
}
