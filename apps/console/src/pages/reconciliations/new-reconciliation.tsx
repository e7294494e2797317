import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DialogButton } from '../../components/dialog-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { supplierChoices, useSuppliers } from '../../data/use-suppliers.ts';
import { counted } from '../../format/numbers.ts';
import { dateTime } from '../../format/times.ts';

type Manifest = OutputOf<'dataImport.listManifests'>[number];

/** Compares a sealed manifest of an import supplier: of that to which the list is narrowed, or another one. */
export function NewReconciliation({ supplier }: { supplier: string | undefined }) {
  return (
    <DialogButton label="Reconcile" shortcut="c">
      {(close) => <Reconcile supplier={supplier} onClose={close} />}
    </DialogButton>
  );
}

function Reconcile({ supplier, onClose }: { supplier: string | undefined; onClose(): void }) {
  const navigate = useNavigate();
  const create = useAction('dataImport.createReconciliation');
  const suppliers = useSuppliers();
  const [code, setCode] = useState(supplier);
  const [chosen, setChosen] = useState('');
  const sealed = useSealedManifests(code);
  const manifest_id = chosen || (sealed?.[0]?.id ?? '');
  const choose = (next: string) => {
    setCode(next);
    setChosen('');
  };
  const perform = async () => {
    const { id } = await create.mutateAsync({ manifest_id });
    await navigate({ to: '/reconciliations/$id', params: { id } });
  };
  return (
    <FormDialog title="Reconcile" confirm="Reconcile" isReady={manifest_id !== ''} perform={perform} onClose={onClose}>
      <ChoiceField
        label="Import supplier"
        value={code ?? ''}
        onChange={choose}
        choices={supplierChoices(suppliers.data)}
      />
      {sealed !== undefined && (
        <ManifestField label={`Sealed manifest of ${code}`} sealed={sealed} value={manifest_id} onChange={setChosen} />
      )}
    </FormDialog>
  );
}

interface ManifestFieldProps {
  label: string;
  sealed: readonly Manifest[];
  value: string;
  onChange(id: string): void;
}

function ManifestField({ label, sealed, value, onChange }: ManifestFieldProps) {
  const manifest = sealed.find(({ id }) => id === value);
  if (manifest === undefined) {
    return (
      <p>
        It has no sealed manifest: one is lodged with <code>causeway manifest lodge</code>.
      </p>
    );
  }
  const claimed = counted(Number(manifest.totals.accounts), 'account');
  return (
    <ChoiceField
      label={label}
      value={value}
      onChange={onChange}
      choices={sealed.map(({ id, source_system, as_of }) => ({
        value: id,
        name: `${source_system}, ${dateTime(as_of)}`,
      }))}
      description={`It claims ${claimed}. Nothing is changed by the comparison.`}
    />
  );
}

/** The newest first; undefined while they are not known. */
function useSealedManifests(code: string | undefined): Manifest[] | undefined {
  const input = { import_supplier: code ?? '', limit: 10_000 };
  const manifests = useQuery({ ...ask('dataImport.listManifests', input), enabled: code !== undefined });
  // Those of the import supplier that was chosen before.
  if (manifests.isPlaceholderData) return undefined;
  return manifests.data?.filter(({ state }) => state === 'SEALED').toReversed();
}
