import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { dateTime } from '../../format/times.ts';

type Manifest = OutputOf<'dataImport.listManifests'>[number];

/** Compares a sealed manifest of the import supplier that the list is narrowed to. */
export function NewReconciliation({ supplier }: { supplier: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  useShortcut('c', 'Reconcile', () => setOpen(true));
  return (
    <>
      <Button shortcut="c" onPress={() => setOpen(true)}>
        Reconcile
      </Button>
      {isOpen && <Reconcile supplier={supplier} onClose={() => setOpen(false)} />}
    </>
  );
}

function Reconcile({ supplier, onClose }: { supplier: string | undefined; onClose(): void }) {
  const navigate = useNavigate();
  const create = useAction('dataImport.createReconciliation');
  const [chosen, setChosen] = useState('');
  const input = { import_supplier: supplier ?? '', limit: 10_000 };
  const manifests = useQuery({ ...ask('dataImport.listManifests', input), enabled: supplier !== undefined });
  const sealed = (manifests.data ?? []).filter(({ state }) => state === 'SEALED').toReversed();
  const manifest_id = chosen || (sealed[0]?.id ?? '');
  const perform = async () => {
    const { id } = await create.mutateAsync({ manifest_id });
    await navigate({ to: '/reconciliations/$id', params: { id } });
  };
  return (
    <FormDialog title="Reconcile" confirm="Reconcile" isReady={manifest_id !== ''} perform={perform} onClose={onClose}>
      {supplier === undefined && <p>Choose the supplier first, in the filter of the list.</p>}
      {supplier !== undefined && manifests.isSuccess && sealed.length === 0 && (
        <p>
          {supplier} has no sealed manifest: it is lodged with <code>causeway manifest lodge</code>.
        </p>
      )}
      {sealed.length > 0 && (
        <ChoiceField
          label={`Sealed manifest of ${supplier}`}
          value={manifest_id}
          onChange={setChosen}
          choices={sealed.map((manifest) => ({ value: manifest.id, name: nameOf(manifest) }))}
        />
      )}
    </FormDialog>
  );
}

const nameOf = ({ source_system, as_of, totals }: Manifest) =>
  `${source_system}, as of ${dateTime(as_of)}, ${totals.accounts} accounts`;
