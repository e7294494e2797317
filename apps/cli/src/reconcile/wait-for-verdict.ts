import { setTimeout as wait } from 'node:timers/promises';
import type { Reconciliation } from '@causeway/contracts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import type { Service } from '../session/open-service.ts';
import { bar, percent } from '../terminal/bar.ts';
import { grouped } from '../terminal/grouped.ts';

/** It looks again a little later each time: a small comparison takes a moment, a large one a quarter of an hour. */
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 2_000;
/** Where no block is shown, a line says from time to time how far it is. */
const SAY_EVERY_MS = 10_000;
const BAR_COLUMNS = 30;

/** The reconciliation once it has its verdict. Ctrl-C leaves it running, and says how to come back. */
export async function waitForVerdict(
  context: Context,
  service: Service,
  begun: Reconciliation,
): Promise<Reconciliation> {
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
