import type { OutputOf } from '../../data/ask.ts';
import { counted } from '../../format/numbers.ts';

export type Job = OutputOf<'dataImport.bulkJob'>;
export type Outcome = keyof Job['counts'];

/** What a job does with its lines. */
export const KINDS: Record<Job['kind'], string> = {
  STAGE: 'stages accounts',
  MOVE: 'moves accounts with history',
  PROCESS: 'creates staged accounts',
  UNDO: 'takes back what another job created',
};

/** Why a job is paused, to anyone who may resume it. */
export const REASONS: Record<NonNullable<Job['state_reason']>, string> = {
  asked: 'somebody paused it',
  import_supplier_not_ongoing: 'the supplier is not ongoing',
  too_many_refused: 'too many lines were refused',
  operations_team_gone: 'its operations team is gone',
  chunk_keeps_failing: 'the service kept failing at the same lines',
  api_key_revoked: 'its key was revoked',
};

/** The outcomes of lines in the order in which a job shows them, with what they mean. */
export const OUTCOMES: Record<Outcome, { name: string; meaning: string }> = {
  created: { name: 'created', meaning: 'by this job' },
  updated: { name: 'updated', meaning: 'replaced what was staged before' },
  unchanged: { name: 'unchanged', meaning: 'were there already, exactly as sent' },
  undone: { name: 'undone', meaning: 'were taken back' },
  refused: { name: 'refused', meaning: 'the line has a fault, or the account was kept' },
  failed: { name: 'failed', meaning: 'the service failed five times' },
  not_processed: { name: 'not processed', meaning: 'the job was cancelled before' },
  waiting: { name: 'waiting', meaning: 'still to do' },
};

/** Whether something of it changes by itself. */
export function isMoving({ state }: Pick<Job, 'state'>): boolean {
  return state === 'PLANNING' || state === 'RUNNING';
}

/** Which jobs run, and which wait? Answered, of one import supplier or of all. */
export function answerOf(all: readonly Pick<Job, 'state'>[], supplier?: string): string {
  const running = all.filter(isMoving).length;
  const waiting = all.filter(({ state }) => state === 'OPEN' || state === 'PAUSED' || state === 'REHEARSED').length;
  const whose = supplier === undefined ? '' : ` of ${supplier}`;
  const runs = running === 0 ? `No job${whose} runs` : counted(running, `job${whose} runs`, `jobs${whose} run`);
  return `${runs}, ${waiting === 0 ? 'and none waits' : counted(waiting, 'waits', 'wait')} for somebody.`;
}

/** What somebody calls the job. */
export function nameOf({ label, id }: Pick<Job, 'label' | 'id'>): string {
  return label ?? `Job ${id.slice(0, 8)}`;
}
