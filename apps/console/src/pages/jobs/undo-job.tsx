import { useNavigate } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { ask } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useLive } from '../../data/use-live.ts';
import { useMayChange } from '../../data/use-role.ts';
import { counted } from '../../format/numbers.ts';
import { type Job, nameOf } from './job-words.ts';
import { SumsTable } from './sums-panel.tsx';

/** Takes back what a job has created, or tries it: each is a job of its own, whose page is opened. */
export function UndoJob({ job }: { job: Job }) {
  const { id: job_id, import_supplier: code, kind, state, run_mode, counts, sums } = job;
  const mayChange = useMayChange();
  const navigate = useNavigate();
  const { data: supplier } = useLive(ask('importSuppliers.get', { code }));
  const undo = useAction('bulkJobs.undo');
  const hasEnded = state === 'FINISHED' || state === 'CANCELLED' || state === 'PAUSED';
  const hasCreated = (kind === 'MOVE' || kind === 'PROCESS') && run_mode === 'REAL' && counts.created > 0;
  const isPossible = (supplier?.undo_hours ?? 0) > 0 && supplier?.status !== 'COMPLETE';
  const isAllowed = mayChange && hasEnded && hasCreated && isPossible;
  const start = async (input: { reason: string; dry_run?: boolean }) => {
    const { job: undoing } = await undo.mutateAsync({ job_id, ...input });
    await navigate({ to: '/jobs/$id', params: { id: undoing.id } });
  };
  const accounts = counted(counts.created, 'account');
  return (
    <>
      <ConfirmButton
        label="Try to undo"
        isAllowed={isAllowed}
        title={`Try to undo: ${nameOf(job)}`}
        perform={() => start({ reason: 'To see what an undo would do', dry_run: true })}
      >
        <p>Everything is done as in an undo of {accounts}, and rolled back: only outcomes and sums remain.</p>
      </ConfirmButton>
      <ConfirmButton
        label="Undo"
        name="Undo this job"
        shortcut="u"
        isAllowed={isAllowed}
        title={`Undo: ${nameOf(job)}`}
        typed={code}
        reason="required"
        perform={(reason) => start({ reason })}
      >
        <p>
          The {accounts} that this job created are taken back, each with all that was imported into it. Accounts that
          received something since, or that the platform has started to use, are kept and named.
        </p>
        <SumsTable label="Money of this job" sums={sums} />
      </ConfirmButton>
    </>
  );
}
