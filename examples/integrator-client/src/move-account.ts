import { randomUUID } from 'node:crypto';
import type { CausewayClient } from './causeway-client.ts';
import type { components } from './generated/causeway-api.ts';

export type AccountPayload = components['schemas']['AccountPayload'];
type Refusal = components['schemas']['ErrorBody'] | components['schemas']['AlreadyImportedErrorBody'];

/** What happened to an account. */
export type Outcome =
  | { outcome: 'created'; serviceAccountNumber: string }
  | { outcome: 'refused'; code: string; problems: string[] };

/** Moves one account: validate, stage, create. An account that was created before is created, too. */
export async function moveAccount(
  client: CausewayClient,
  account: AccountPayload,
  operationsTeam: string,
): Promise<Outcome> {
  const params = () => ({ header: { 'Idempotency-Key': randomUUID() } });

  const validated = await client.POST('/v1/data-import/validate-account/', { body: account });
  if (validated.error) {
    return outcomeOf(validated.error);
  }
  const staged = await client.POST('/v1/data-import/account-import-process/create-or-update/', {
    params: params(),
    body: account,
  });
  if (staged.error) {
    return outcomeOf(staged.error);
  }
  const created = await client.POST('/v1/data-import/account-import-process/process/', {
    params: params(),
    body: {
      import_supplier_code: staged.data.import_supplier,
      external_account_number: staged.data.external_account_number,
      operations_team_name: operationsTeam,
    },
  });
  return created.error
    ? outcomeOf(created.error)
    : { outcome: 'created', serviceAccountNumber: created.data.service_account_number };
}

function outcomeOf(refusal: Refusal): Outcome {
  if ('service_account_number' in refusal) {
    return { outcome: 'created', serviceAccountNumber: refusal.service_account_number };
  }
  const { code, errors } = refusal;
  return { outcome: 'refused', code, problems: errors.map(({ attr, detail }) => `${attr}: ${detail}`) };
}
