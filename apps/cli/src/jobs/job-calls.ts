import type { BulkJob, BulkJobRecord, BulkProblem } from '@causeway/contracts';
import type { Ending } from '../frame/failure.ts';
import type { Service } from '../session/open-service.ts';

export const pathOfJob = (id: string): string => `bulk-jobs/${encodeURIComponent(id)}/`;

export function readJob(service: Service, id: string): Promise<BulkJob> {
  return service.get(pathOfJob(id));
}

/** Those of most lines first. */
export function readProblems(service: Service, id: string): Promise<BulkProblem[]> {
  return service.get(`${pathOfJob(id)}errors/`);
}

/** Starts a job; `announced` is what its book has, and the service starts nothing if it has another number of them. */
export function startJob(
  service: Service,
  id: string,
  { isRehearsal, announced = {} }: { isRehearsal: boolean; announced?: { parts?: number; lines?: number } },
): Promise<BulkJob> {
  return service.post(`${pathOfJob(id)}start/`, { run_mode: isRehearsal ? 'REHEARSAL' : 'REAL', ...announced });
}

/** Those of an import supplier, oldest first. */
export function jobsOf(service: Service, supplier: string): Promise<BulkJobRecord[]> {
  return service.get(`bulk-jobs/?import_supplier=${encodeURIComponent(supplier)}`);
}

/** Whether a job does something now that is worth waiting for. */
export const isMoving = ({ state }: Pick<BulkJob, 'state'>): boolean => state === 'PLANNING' || state === 'RUNNING';

/** How a command ends that has waited for a job. */
export function endingOfJob({ state, state_reason, counts }: BulkJob): Ending {
  if (state === 'CANCELLED') return 'stoppedByOthers';
  if (state === 'PAUSED') return state_reason === 'too_many_refused' ? 'tooManyRefused' : 'stoppedByOthers';
  return counts.refused + counts.failed > 0 ? 'refused' : 'done';
}
