import type { BulkJob } from '@causeway/contracts';
import type { Ending } from '../frame/failure.ts';

/** Whether a job does something now that is worth waiting for. */
export const isMoving = ({ state }: Pick<BulkJob, 'state'>): boolean => state === 'PLANNING' || state === 'RUNNING';

/** How a command ends that has waited for a job. */
export function endingOfJob({ state, state_reason, counts }: BulkJob): Ending {
  if (state === 'CANCELLED') return 'stoppedByOthers';
  if (state === 'PAUSED') return state_reason === 'too_many_refused' ? 'tooManyRefused' : 'stoppedByOthers';
  return counts.refused + counts.failed > 0 ? 'refused' : 'done';
}
