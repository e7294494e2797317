import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { ServiceAccountNumber, StoredExternalAccountNumber } from '../identifiers.ts';
import { LIMITS } from '../limits.ts';
import { withRules } from '../rules.ts';
import { prose, text } from '../text.ts';
import { RemovedFigures, undoFields } from '../undo-account.ts';
import { AccountPayload, accountRules } from './account-payload.ts';
import { exampleAccount } from './example-account.ts';
import { historyRules } from './history-rules.ts';

const replacing = {
  operations_team_name: 'Migration support',
  expected_service_account_number: 'A-7K3M9QXT',
  reason: 'Wrong tariff',
};

/** An account with its history, in place of the one that exists (behaviour 30.6). */
export const ReplaceAccountRequest = withRules(
  z.object({
    ...AccountPayload.shape,
    operations_team_name: field(
      text(LIMITS.operations_team_name),
      'The name of an existing operations team, to which the account is linked.',
      replacing.operations_team_name,
    ),
    expected_service_account_number: field(
      ServiceAccountNumber,
      'The number of the account that is to be replaced: if it has another one now, nothing is done.',
      replacing.expected_service_account_number,
    ),
    reason: optional(prose(LIMITS.staff_reason), 'Why, for the audit trail.', replacing.reason),
    ...undoFields,
  }),
  ...accountRules,
  ...historyRules,
).meta({
  id: 'ReplaceAccountRequest',
  description:
    'One customer account with its whole history, which takes the place of the account that exists: that one is undone, and this one created, together.',
  examples: [{ ...exampleAccount, ...replacing }],
});
export type ReplaceAccountRequest = z.infer<typeof ReplaceAccountRequest>;

export const ReplaceAccountResponse = z
  .object({
    external_account_number: StoredExternalAccountNumber,
    service_account_number: field(ServiceAccountNumber, 'The number of the new account.', 'A-9QX2M4TB'),
    replaced: field(
      z.object({ service_account_number: ServiceAccountNumber, removed: RemovedFigures }),
      'The account that was undone, and what was removed with it.',
    ),
  })
  .apply(documented, 'ReplaceAccountResponse', 'The account is replaced, and has another number.');
export type ReplaceAccountResponse = z.infer<typeof ReplaceAccountResponse>;
