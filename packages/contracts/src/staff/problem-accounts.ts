import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { ExternalAccountNumberInPath, ImportSupplierCodeInPath, ServiceAccountNumberOrNull } from '../identifiers.ts';
import { AccountImportState } from './account-imports.ts';
import { limit } from './listing.ts';
import { ProblemKey } from './skip-accounts.ts';

const exampleProblem = ProblemKey.meta()?.examples?.[0] as ProblemKey;
/** Asks which accounts have a problem (behaviour 14.6.8). */
export const ListByProblemRequest = z
  .object({
    code: field(ImportSupplierCodeInPath, 'The code of the import supplier.'),
    problem: field(ProblemKey, 'The problem, as the list of problems has it.'),
    limit,
    after: optional(ExternalAccountNumberInPath, 'The external account number of the last record that you received.'),
  })
  .meta({
    id: 'ListByProblemRequest',
    description: 'Asks which accounts of an import supplier have one problem now.',
    examples: [{ code: 'NORTHWIND-2026', problem: exampleProblem, limit: 100 }],
  });
export type ListByProblemRequest = z.infer<typeof ListByProblemRequest>;

/** An account that has a problem. */
export const ProblemAccount = z
  .object({
    external_account_number: field(z.string(), "The migrating party's own account number.", 'NW-0001482'),
    service_account_number: ServiceAccountNumberOrNull,
    state: field(
      AccountImportState.nullable(),
      'The state of the account import; null if the account was never staged.',
      'STAGED',
    ),
    times: field(z.number(), 'How often the operation was refused since it last succeeded.', 3),
    request_id: field(
      z.string(),
      "The service's own id of the latest such request.",
      '3f1c2a34-8a55-4c0e-9b0e-5d4f0a1b2c3d',
    ),
    last_seen_at: field(UtcDatetime, 'When that was, in UTC.', '2026-04-17T09:30:12Z'),
  })
  .apply(documented, 'ProblemAccount', 'An account that has a problem.');
export type ProblemAccount = z.infer<typeof ProblemAccount>;

export const ListByProblemResponse = z
  .array(ProblemAccount)
  .apply(documented, 'ListByProblemResponse', 'The accounts, in an order that does not change.');
