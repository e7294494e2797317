import type { BulkJob } from '@causeway/contracts';
import { quoted } from '../terminal/quoted.ts';

/** What its reader may want to do about a job now, as commands. */
export function nextCommands(job: BulkJob): string[] {
  const { id, kind, state, import_supplier: supplier, counts } = job;
  if (state === 'OPEN') {
    return kind === 'PROCESS' ? [`causeway jobs start ${id}`] : [`causeway upload <book> --job ${id} --start`];
  }
  if (state === 'PAUSED') {
    return [`causeway problems --job ${id}`, `causeway jobs resume ${id}`, `causeway jobs cancel ${id}`];
  }
  if (state === 'CANCELLED') return [`causeway jobs unprocessed-rows ${id} -o rest.ndjson`];
  if (state === 'PLANNING' || state === 'RUNNING') return [`causeway jobs watch ${id}`];
  const failed = counts.refused + counts.failed > 0 ? [`causeway jobs failed-rows ${id} -o failed.ndjson`] : [];
  if (state === 'REHEARSED') return [...failed, `causeway jobs start ${id} --watch`];
  return [...failed, ...afterwards(job, `--supplier ${quoted(supplier)}`)];
}

function afterwards({ kind, run_mode, options, counts }: BulkJob, supplier: string): string[] {
  if (counts.created + counts.updated + counts.unchanged === 0) return [];
  if (kind === 'STAGE') return [`causeway rehearse ${supplier} --team <name>`];
  if (run_mode === 'REHEARSAL')
    return [`causeway process ${supplier} --team ${quoted(options.operations_team_name ?? '<name>')} --watch`];
  return [`causeway mapping ${supplier} -o mapping.csv`];
}

/** As the last lines of what a command prints. */
export function nextLines(job: BulkJob): string[] {
  const commands = nextCommands(job);
  return commands.length === 0 ? [] : ['Next:', ...commands.map((command) => `  ${command}`)];
}
