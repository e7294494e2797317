import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useAction } from '../../data/use-action.ts';
import { counted } from '../../format/numbers.ts';
import { type Job, nameOf } from './job-words.ts';

type Action = 'start' | 'rehearse' | 'pause' | 'resume' | 'cancel';

interface Words {
  confirm: string;
  shortcut: string;
  sentence(job: Job): string;
}

const WORDS: Record<Action, Words> = {
  start: {
    confirm: 'Start',
    shortcut: 's',
    sentence: ({ lines, import_supplier }) =>
      `${lines === null ? 'The accounts that are staged' : counted(lines, 'line')} of ${import_supplier} are moved for good.`,
  },
  rehearse: {
    confirm: 'Rehearse',
    shortcut: 'r',
    sentence: () => 'Everything is done as in a real run, and rolled back: only outcomes and a report remain.',
  },
  pause: {
    confirm: 'Pause',
    shortcut: 'p',
    sentence: () => 'What is being worked on is finished, then nothing more until somebody resumes it.',
  },
  resume: {
    confirm: 'Resume',
    shortcut: 's',
    sentence: ({ state_reason }) =>
      state_reason === 'too_many_refused'
        ? 'You accept the lines that were refused: the job is not paused for them again.'
        : 'It resumes where it stopped.',
  },
  cancel: {
    confirm: 'Cancel the job',
    shortcut: 'x',
    sentence: ({ counts }) =>
      `${counted(counts.waiting, 'line')} will not be done. What is done stays. This cannot be undone.`,
  },
};

const ALLOWED: Record<Job['state'], readonly Action[]> = {
  OPEN: ['start', 'rehearse', 'cancel'],
  PLANNING: ['pause', 'cancel'],
  RUNNING: ['pause', 'cancel'],
  PAUSED: ['resume', 'cancel'],
  REHEARSED: ['start', 'rehearse', 'cancel'],
  FINISHED: [],
  CANCELLED: [],
};

/** What may be done with a job in its state: each has a key, and is confirmed. */
export function JobActions({ job }: { job: Job }) {
  const [asked, setAsked] = useState<Action>();
  const perform = useActions(job.id);
  return (
    <>
      {ALLOWED[job.state].map((one) => (
        <ActionButton key={one} action={one} onPress={() => setAsked(one)} />
      ))}
      {asked !== undefined && (
        <ConfirmDialog
          title={`${WORDS[asked].confirm}: ${nameOf(job)}`}
          confirm={WORDS[asked].confirm}
          onClose={() => setAsked(undefined)}
          perform={perform[asked]}
          typed={asked === 'cancel' ? job.import_supplier : undefined}
        >
          <p>{WORDS[asked].sentence(job)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function ActionButton({ action, onPress }: { action: Action; onPress(): void }) {
  const { confirm, shortcut } = WORDS[action];
  useShortcut(shortcut, confirm, onPress);
  const variant = action === 'start' || action === 'resume' ? 'primary' : 'plain';
  return (
    <Button variant={variant} shortcut={shortcut} onPress={onPress}>
      {confirm}
    </Button>
  );
}

function useActions(job_id: string): Record<Action, () => Promise<unknown>> {
  const start = useAction('dataImport.startBulkJob');
  const pause = useAction('dataImport.pauseBulkJob');
  const resume = useAction('dataImport.resumeBulkJob');
  const cancel = useAction('dataImport.cancelBulkJob');
  return {
    start: () => start.mutateAsync({ job_id, run_mode: 'REAL' }),
    rehearse: () => start.mutateAsync({ job_id, run_mode: 'REHEARSAL' }),
    pause: () => pause.mutateAsync({ job_id }),
    resume: () => resume.mutateAsync({ job_id }),
    cancel: () => cancel.mutateAsync({ job_id }),
  };
}
