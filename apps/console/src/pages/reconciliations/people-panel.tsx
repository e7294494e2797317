import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import { Time } from '../../components/time.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import type { Reconciliation } from './figures.ts';

type Manifest = OutputOf<'dataImport.manifest'>;

interface PeoplePanelProps {
  reconciliation: Reconciliation;
  manifest: Manifest | undefined;
}

/** Who has counted, sealed and asked, and when. */
export function PeoplePanel({ reconciliation, manifest }: PeoplePanelProps) {
  const { id, created_at, finished_at } = reconciliation;
  const trail = useQuery(ask('audit.list', { subject: 'reconciliation', id }));
  const asked = trail.data?.[0];
  return (
    <Panel title="Who and when" aside={<TrailLink id={id} />}>
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

function TrailLink({ id }: { id: string }) {
  return (
    <Link to="/audit" search={{ subject: 'reconciliation', id }}>
      Who did what
    </Link>
  );
}

function nameOf({ person, kind, api_key_label: label }: NonNullable<Manifest['lodged_by']>): string {
  return person ?? `${kind === 'staff' ? 'the service team' : 'the supplier'}, key ${label}`;
}
