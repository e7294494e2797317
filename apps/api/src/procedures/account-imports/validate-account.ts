import { AccountPayload, ValidatedAccount } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { newAccount } from '@causeway/domain';
import * as rules from '@causeway/rules';
import type { InputChecks } from '../meta.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** How validate and stage check an account with its history (behaviour 2.10, 4.17). */
export const ACCOUNT_CHECKS = {
  ...rules.ACCOUNT_CHECKS,
  failureCode: 'account_failed_validation',
  names: newAccount,
} satisfies InputChecks;

/** Behaviour 4.1. */
export const validateAccount = supplierProcedure(AccountPayload, ACCOUNT_CHECKS)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/validate-account/',
      tags: ['Accounts'],
      summary: 'Validate account',
      description:
        'Checks one account by the rules of staging and stores nothing, even if the account is already staged ' +
        'or imported. All its problems are reported at once. Answers with the account as it would be staged: ' +
        'undocumented fields left out, defaults filled in. An `Idempotency-Key` is ignored: nothing from the request is kept.',
      successDescription: 'The account is valid: the validated data.',
    },
    ignoresIdempotencyKey: true,
    operation: 'validate',
    errors: ['account_failed_validation', 'import_supplier_does_not_exist'],
  })
  .output(answers(ValidatedAccount))
  .mutation(({ ctx, input }) => domain.validateAccount(ctx, input));
