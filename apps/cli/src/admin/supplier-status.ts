import type { ImportSupplierStatus } from '@causeway/contracts';
import { confirm } from '../frame/confirm.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { openStaff } from '../session/open-staff.ts';
import { readinessLines } from './suppliers.ts';

interface Changing {
  words: [string, string];
  options: { reason?: string };
}

const MEANING: Record<ImportSupplierStatus, string> = {
  ONGOING: 'it accepts accounts',
  PAUSED: 'every call that stages or creates an account of it is refused until it is ONGOING again',
  COMPLETE: 'it refuses every account from now on, and is reopened only with a reason',
};

/** Changes the status of an import supplier, once its code was typed or `--yes` given. */
export async function setStatus(context: Context, { words: [code, word], options }: Changing): Promise<Result> {
  const status = word.toUpperCase();
  if (!isStatus(status)) throw new Failure('usage', `A status is ONGOING, PAUSED or COMPLETE, and not “${word}”.`);
  const { client, answer } = await openStaff(context);
  const { status: before } = await answer(client.importSuppliers.get.query({ code }));
  if (status === 'COMPLETE') {
    const readiness = await answer(client.overview.readiness.query({ code }));
    for (const line of readinessLines(readiness)) context.output.say(line);
    if (!readiness.ready && options.reason === undefined) {
      throw new Failure('refused', `${code} is not ready to be COMPLETE.`, {
        code: 'import_supplier_not_ready',
        lines: [
          '  Meet the conditions, or say why it is COMPLETE without them: --reason TEXT. The audit trail keeps it.',
        ],
      });
    }
  }
  await confirm(context, `${code} is ${before}, and becomes ${status}: ${MEANING[status]}.`, code);
  const { reason } = options;
  const supplier = await answer(client.importSuppliers.setStatus.mutate({ code, status, reason }));
  return { document: supplier, lines: [`${code}  ${supplier.status}`] };
}

const isStatus = (text: string): text is ImportSupplierStatus => Object.hasOwn(MEANING, text);
