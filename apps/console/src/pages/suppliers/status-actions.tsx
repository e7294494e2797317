import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';

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
export function StatusActions({ code, status }: { code: string; status: Status }) {
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
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      reason={isReasonRequired ? 'required' : 'optional'}
      {...(to === 'COMPLETE' && { typed: code })}
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
