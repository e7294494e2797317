import type { BulkJob, BulkJobRecord, BulkProblem } from '@causeway/contracts';
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
