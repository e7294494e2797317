import type { ReplaceAccountRequest, ReplaceAccountResponse } from '@causeway/contracts';
import { databaseWithin } from '@causeway/db';
import { stageAccount, storedPayload } from '../account-imports/stage-account.ts';
import { undoWithin } from '../account-imports/undo-account.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { confirmed, decideCarried } from './prepare-bundle.ts';
import { createStagedAccount } from './process-account.ts';

/**
 * Replaces an account by another one with its whole history (behaviour 30.6): the rules decide, the payment vendors are
 * asked while no transaction is open, and one transaction undoes the one and stages and creates the other. If anything is
 * refused, the account stays as it is. A dry run rolls it back: `dry_run_rolled_back`. Refuses as `undoAccount`,
 * `stageAccount` and `processAccount` do, and with `account_number_differs`.
 */
export async function replaceAccount(
  context: Context,
  request: ReplaceAccountRequest,
): Promise<ReplaceAccountResponse> {
  const {
    operations_team_name,
    expected_service_account_number: expected,
    reason,
    tell_again,
    dry_run,
    ...payload
  } = request;
  const { import_supplier: import_supplier_code, external_account_number } = payload;
  const supplier = await findImportSupplier(context, import_supplier_code, 'import_supplier');
  const bundle = await confirmed(
    context,
    decideCarried(context, storedPayload(payload, supplier), { times_staged: 0 }),
  );
  return context.database.transaction(async (transaction) => {
    const within = { ...context, database: databaseWithin(context.database, transaction) };
    const undoing = { import_supplier_code, external_account_number, reason, tell_again };
    const { service_account_number: former, removed } = await undoWithin(within, undoing);
    if (former !== expected) throw numberDiffers();
    const { timesStaged: times_staged } = await stageAccount(within, payload);
    const creation = { ...accountKey(import_supplier_code, external_account_number), operations_team_name };
    const { service_account_number } = await createStagedAccount(within, creation, { ...bundle, times_staged });
    const replaced = { service_account_number: former, removed };
    const would_answer = { external_account_number, service_account_number, replaced };
    if (!dry_run) return would_answer;
    const detail = 'The account would be replaced. It was not: this was a dry run and was rolled back.';
    throw new DomainError('dry_run_rolled_back', detail, { extra: { would_answer } });
  });
}

function numberDiffers(): DomainError {
  const detail = 'The account has another service account number: somebody has replaced it before. Nothing was done.';
  return new DomainError('account_number_differs', detail, { attr: 'expected_service_account_number' });
}
