import { setTimeout as wait } from 'node:timers/promises';
import type { ManifestRecord, Reconciliation } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { downloadFile } from '../jobs/download-file.ts';
import { openService, type Service } from '../session/open-service.ts';
import { quoted } from '../terminal/lines.ts';
import { bar, grouped, percent } from '../terminal/numbers.ts';
import { readSamples, verdictLines } from './verdict-lines.ts';

/** It looks again a little later each time: a small comparison takes a moment, a large one a quarter of an hour. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2_000;
/** Where no block is shown, a line says from time to time how far it is. */
const SAY_EVERY_MS = 10_000;
const BAR_COLUMNS = 30;

/** The reconciliation once it has its verdict. Ctrl-C leaves it running, and says how to come back. */
async function waitForVerdict(context: Context, service: Service, begun: Reconciliation): Promise<Reconciliation> {
  try {
    return await lookAgain(context, service, begun);
  } catch (error) {
    throw context.stop.aborted ? interrupted(begun.id) : error;
  } finally {
    context.output.show([]);
  }
}

async function lookAgain(
  { output, stop, now }: Context,
  service: Service,
  begun: Reconciliation,
): Promise<Reconciliation> {
  let reconciliation = begun;
  let saidAt = now().getTime();
  for (
    let pauseMs = FIRST_PAUSE_MS;
    reconciliation.state !== 'FINISHED';
    pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)
  ) {
    const { id, state, ranges, ranges_done } = reconciliation;
    if (state === 'CANCELLED') throw new Failure('stoppedByOthers', `Reconciliation ${id} was cancelled.`);
    const line = progressLine(reconciliation);
    output.event('progress', { id, state, ranges, ranges_done });
    output.show([line]);
    if (!output.isLive && now().getTime() - saidAt >= SAY_EVERY_MS) {
      output.say(line);
      saidAt = now().getTime();
    }
    await wait(pauseMs, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) throw interrupted(id);
    reconciliation = await service.get(`reconciliations/${id}/`);
  }
  return reconciliation;
}

function progressLine({ import_supplier: code, state, ranges, ranges_done: done, round }: Reconciliation): string {
  if (state === 'PLANNING') return `  ${code}  waiting for its turn`;
  const again = round > 1 ? `, comparison ${round} of what was changing` : '';
  const share = `${bar(done / Math.max(ranges, 1), BAR_COLUMNS)}  ${percent(done, ranges)}`;
  return `  ${code}  ${share}  ${grouped(done)} of ${grouped(ranges)} ranges${again}`;
}

function interrupted(id: string): Failure {
  return new Failure('interrupted', 'Interrupted. The comparison continues in the service.', {
    lines: [`  Come back to it: causeway reconcile --id ${id}`],
  });
}

interface Reconciling {
  options: { supplier?: string; manifest?: string; id?: string; watch: boolean; output?: string; report?: string };
}

/** Compares what is stored with a manifest, and shows the verdict (behaviour 25.7.4). */
export async function reconcile(context: Context, { options }: Reconciling): Promise<Result> {
  const service = await openService(context);
  const begun = await beginOrFind(context, service, options);
  if (!options.watch) {
    context.output.say(`Next: causeway reconcile --id ${begun.id}`);
    return { document: begun, lines: [`${begun.id}  ${begun.state}`] };
  }
  const finished = await waitForVerdict(context, service, begun);
  const manifest = await service.get<ManifestRecord>(`manifests/${finished.manifest_id}/`);
  const samples = await readSamples(service, finished);
  await save(context, service, { id: finished.id, ...options });
  sayNext(context, finished, options);
  return {
    ending: finished.verdict === 'EQUAL' ? 'done' : 'refused',
    document: { ...finished, manifest, samples },
    lines: verdictLines({ reconciliation: finished, manifest, samples }),
  };
}

async function beginOrFind(
  { output }: Context,
  service: Service,
  { supplier, manifest, id }: Reconciling['options'],
): Promise<Reconciliation> {
  if (id !== undefined) return service.get(`reconciliations/${encodeURIComponent(id)}/`);
  if (supplier === undefined && manifest === undefined) {
    throw new Failure('usage', 'Say which import supplier: causeway reconcile --supplier CODE');
  }
  const manifest_id = manifest ?? (await newestManifest(service, supplier ?? ''));
  const begun = await service.post<Reconciliation>('reconciliations/', { manifest_id });
  if (supplier !== undefined && begun.import_supplier !== supplier) {
    output.say(`Manifest ${manifest_id} is one of ${begun.import_supplier}.`);
  }
  return begun;
}

async function newestManifest(service: Service, supplier: string): Promise<string> {
  const listed = await service.get<ManifestRecord[]>(`manifests/?import_supplier=${encodeURIComponent(supplier)}`);
  const newest = listed.findLast(({ state }) => state === 'SEALED');
  if (newest !== undefined) return newest.id;
  throw new Failure('refused', `${supplier} has no sealed manifest to compare with.`, {
    lines: [`  Lodge what the source has: causeway manifest lodge manifest.ndjson --supplier ${quoted(supplier)}`],
  });
}

interface Saving {
  id: string;
  output?: string;
  report?: string;
}

async function save(context: Context, service: Service, { id, output, report }: Saving): Promise<void> {
  const path = `reconciliations/${id}`;
  if (output !== undefined) {
    const type = output.endsWith('.csv') ? 'text/csv' : 'application/x-ndjson';
    await downloadFile(context, service.read(`${path}/differences/`, type), output);
    context.output.say(`All differences are in ${output}.`);
  }
  if (report !== undefined) {
    await downloadFile(context, service.read(`${path}/report/`, 'application/jose'), report);
    context.output.say(`The signed report is in ${report}: causeway verify ${report}`);
  }
}

/** What comes next depends on why accounts differ. */
function sayNext({ output }: Context, reconciliation: Reconciliation, options: Reconciling['options']): void {
  const { id, verdict, accounts, import_supplier: code } = reconciliation;
  const absent = (accounts?.missing ?? 0) + (accounts?.not_created ?? 0);
  if (verdict === 'MOVED')
    output.say(`Next, when no account is changing: causeway reconcile --supplier ${quoted(code)}`);
  else if (absent > 0) {
    output.say(`Next, see why accounts were refused: causeway problems --supplier ${quoted(code)}`);
    output.say(
      `Correct their lines in failed.ndjson, move that file, and run causeway reconcile --supplier ${quoted(code)}`,
    );
  } else if (verdict === 'DIFFERENT' && options.output === undefined) {
    output.say(`Next, all differences in a file: causeway reconcile --id ${id} -o differences.csv`);
  } else if (options.report === undefined) {
    output.say(`Next, the signed report: causeway reconcile --id ${id} --report report.jws`);
  }
}
