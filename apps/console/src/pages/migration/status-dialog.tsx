import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Sentence } from '../../components/sentence.tsx';
import text from '../../components/text.module.css';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import type { StatusChange } from './status-changes.ts';
import styles from './status-dialog.module.css';

interface StatusDialogProps {
  migration: OutputOf<'overview.migrations'>[number];
  change: StatusChange;
  isOpen: boolean;
  onClose(): void;
}

/** Changes the status. Completing what is not ready, and reopening, wants a reason, which the audit trail keeps. */
export function StatusDialog({ migration: { code }, change, isOpen, onClose }: StatusDialogProps) {
  const readiness = useQuery({ ...ask('overview.readiness', { code }), enabled: isOpen && change.to === 'COMPLETE' });
  const setStatus = useAction('importSuppliers.setStatus');
  const missing = change.to === 'COMPLETE' ? (readiness.data?.conditions.filter(({ ok }) => !ok) ?? []) : [];
  const isReasonNeeded = change.name === 'Reopen' || missing.length > 0;
  if (!isOpen) return null;
  return (
    <ConfirmDialog
      title={`${change.name} ${code}`}
      confirm={change.name}
      onClose={onClose}
      reason={isReasonNeeded ? 'required' : 'optional'}
      perform={(reason) => setStatus.mutateAsync({ code, status: change.to, ...(reason !== '' && { reason }) })}
      typed={change.isTyped ? code : undefined}
    >
      <p>{change.follows}</p>
      {missing.length > 0 && (
        <>
          <p>It is not ready:</p>
          <ul className={`${text.missing} ${styles.missing}`}>
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
