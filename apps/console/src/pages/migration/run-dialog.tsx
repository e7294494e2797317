import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ChoiceField } from '../../components/text-field.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useAction } from '../../data/use-action.ts';
import { counted } from '../../format/numbers.ts';
import styles from './run-dialog.module.css';

interface RunDialogProps {
  migration: OutputOf<'overview.migrations'>[number];
  mode: 'REAL' | 'REHEARSAL';
  isOpen: boolean;
  onClose(): void;
}

const FOLLOWS = {
  REAL: 'Those that are staged when the job begins are created on the platform. That cannot be undone.',
  REHEARSAL: 'As the real run, with everything rolled back. The report says what would pass, and how long it takes.',
};

/** Starts a job that creates the accounts that wait, or rehearses it, and leads to the job. */
export function RunDialog({ migration: { code, staged, failed }, mode, isOpen, onClose }: RunDialogProps) {
  const navigate = useNavigate();
  const teams = useQuery({ ...askAll('operationsTeams.list'), enabled: isOpen });
  const [chosen, setChosen] = useState<string>();
  const [isAll, setAll] = useState(true);
  const run = useRun(mode);
  const names = teams.data?.map(({ name }) => name) ?? [];
  const team = chosen ?? (names.length === 1 ? names.join() : '');
  const number = isAll ? staged + failed : staged;
  const verb = mode === 'REAL' ? 'Process' : 'Rehearse';
  const perform = async () => {
    const id = await run({ code, team, states: isAll ? ['STAGED', 'FAILED'] : ['STAGED'] });
    await navigate({ to: '/jobs/$id', params: { id } });
  };
  if (!isOpen) return null;
  return (
    <ConfirmDialog
      title={`${verb} ${counted(number, 'account')} of ${code}`}
      confirm={verb}
      onClose={onClose}
      perform={perform}
      isPossible={number > 0 && team !== ''}
    >
      {number === 0 ? (
        <p>No account is staged. The import supplier stages accounts by single calls or by an upload.</p>
      ) : (
        <>
          <p>{FOLLOWS[mode]}</p>
          <ChoiceField
            label="Operations team that takes them over"
            value={team}
            onChange={setChosen}
            choices={names.map((name) => ({ value: name, name }))}
          />
        </>
      )}
      {failed > 0 && (
        <label className={styles.check}>
          <input type="checkbox" checked={isAll} onChange={({ target }) => setAll(target.checked)} />
          also the {counted(failed, 'account')} that failed before
        </label>
      )}
    </ConfirmDialog>
  );
}

interface Cohort {
  code: string;
  team: string;
  states: ('STAGED' | 'FAILED')[];
}

/** Creates the job and starts it; its id. */
function useRun(run_mode: 'REAL' | 'REHEARSAL'): (cohort: Cohort) => Promise<string> {
  const create = useAction('dataImport.createBulkJob');
  const start = useAction('dataImport.startBulkJob');
  return async ({ code, team, states }) => {
    const { id } = await create.mutateAsync({
      import_supplier: code,
      kind: 'PROCESS',
      label: run_mode === 'REAL' ? 'Process' : 'Rehearsal',
      options: { operations_team_name: team },
      selection: { states },
    });
    await start.mutateAsync({ job_id: id, run_mode });
    return id;
  };
}
