import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Time } from '../../components/time.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';

interface ReconcileDialogProps {
  migration: OutputOf<'overview.migrations'>[number];
  isOpen: boolean;
  onClose(): void;
}

const MOST_MANIFESTS = 1_000;

/** Compares what is stored with the newest sealed manifest, and leads to the reconciliation. */
export function ReconcileDialog({ migration: { code }, isOpen, onClose }: ReconcileDialogProps) {
  const navigate = useNavigate();
  const asked = { import_supplier: code, limit: MOST_MANIFESTS };
  const manifests = useQuery({ ...ask('dataImport.listManifests', asked), enabled: isOpen });
  const create = useAction('dataImport.createReconciliation');
  const manifest = manifests.data?.findLast(({ state }) => state === 'SEALED');
  const perform = async () => {
    if (manifest === undefined) throw new Error('There is no sealed manifest to compare with.');
    const { id } = await create.mutateAsync({ manifest_id: manifest.id });
    await navigate({ to: '/reconciliations/$id', params: { id } });
  };
  if (!isOpen) return null;
  return (
    <ConfirmDialog title={`Reconcile ${code}`} confirm="Reconcile" onClose={onClose} perform={perform}>
      {manifests.isPending ? (
        <p>Looking for its manifest.</p>
      ) : manifest === undefined ? (
        <p>
          There is no sealed manifest: the import supplier lodges one with <code>causeway manifest lodge</code>.
        </p>
      ) : (
        <p>
          Everything that is stored is compared with the manifest of {manifest.source_system}, as of{' '}
          <Time at={manifest.as_of} />. Nothing is changed, and nothing has to stand still.
        </p>
      )}
    </ConfirmDialog>
  );
}
