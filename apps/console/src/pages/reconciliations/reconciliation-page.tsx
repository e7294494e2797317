import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { SaveButton } from '../../components/save-button.tsx';
import { Stack } from '../../components/stack.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { CancelReconciliation } from './cancel-reconciliation.tsx';
import { DifferencesPanel } from './differences-panel.tsx';
import type { Reconciliation } from './figures.ts';
import { PeoplePanel } from './people-panel.tsx';
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
