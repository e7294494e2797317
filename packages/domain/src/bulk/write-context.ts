import type { Context } from '../context.ts';
import type { ImportSupplierConfiguration } from '../import-suppliers/find-import-supplier.ts';
import type { BulkDependencies, BulkWork } from './bulk-work.ts';

/** Where and for whom the lines of a chunk are written: `context.database` is the chunk's transaction. */
export interface Writing {
  context: Context;
  work: BulkWork;
  dependencies: BulkDependencies;
  supplier: ImportSupplierConfiguration;
  operationsTeamName: string;
}

/** The context of one line: its audit events and refusals name the job, the run and the line. */
export function contextOf(
  { context, work }: Pick<Writing, 'context' | 'work'>,
  { number }: { number: number },
): Context {
  return { ...context, requestId: `bulk:${work.id}/${work.run}/${number}` };
}
