import { z } from 'zod';
import { field } from '../field.ts';
import { LIMITS, limitText } from '../limits.ts';
import { ImportOperation } from '../refusals.ts';
import { code } from './import-supplier-fields.ts';

/** Asks for the counts of kept fields (behaviour 14.4.5). */
export const ListKeptFieldsRequest = z.object({ code }).meta({
  id: 'ListKeptFieldsRequest',
  description: 'Asks which undocumented fields are kept of the accounts of an import supplier.',
  examples: [{ code: 'NORTHWIND-2026' }],
});
export type ListKeptFieldsRequest = z.infer<typeof ListKeptFieldsRequest>;

const exampleCount = {
  operation: 'stage' as const,
  path: 'supply_addresses.*.tariff.code',
  accounts: 8783,
  values: 9012,
};

export const KeptFieldCount = z
  .object({
    operation: field(ImportOperation, 'The call that sent them.', 'stage'),
    path: field(z.string(), 'Their dotted path, with list indexes as `*`.', 'supply_addresses.*.tariff.code'),
    accounts: field(z.number(), 'Of how many accounts they are kept.', 8783),
    values: field(z.number(), 'How many values are kept.', 9012),
  })
  .meta({
    id: 'KeptFieldCount',
    description: 'The undocumented fields with one path, counted.',
    examples: [exampleCount],
  });
export type KeptFieldCount = z.infer<typeof KeptFieldCount>;

export const ListKeptFieldsResponse = z.array(KeptFieldCount).meta({
  id: 'ListKeptFieldsResponse',
  description: `The undocumented fields that are kept, those of most accounts first: at most ${limitText(LIMITS.kept_paths)} paths.`,
  examples: [[exampleCount]],
});
export type ListKeptFieldsResponse = z.infer<typeof ListKeptFieldsResponse>;
