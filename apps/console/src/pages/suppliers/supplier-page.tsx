import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyValues } from '../../components/key-values.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { Stack } from '../../components/stack.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { StateBar } from '../../components/state-bar.tsx';
import { Time } from '../../components/time.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import { useOrganisations } from '../../data/use-organisations.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { StatusActions } from './status-actions.tsx';
import { SupplierPlaces } from './supplier-places.tsx';

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
      <Link to="/audit" search={{ subject: 'import_supplier', code }}>
        Who did what
      </Link>
    </span>
  );
}
