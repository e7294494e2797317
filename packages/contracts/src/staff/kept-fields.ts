import { z } from 'zod';
import { documented, field } from '../field.ts';
import { LIMITS, limitText } from '../limits.ts';
import { ImportOperation } from '../refusals.ts';
import { code } from './import-supplier-fields.ts';

/** Asks for the counts of kept fields (behaviour 14.4.5). */
export const ListKeptFieldsRequest = z
  .object({ code })
  .apply(
    documented,
    'ListKeptFieldsRequest',
    'Asks which undocumented fields are kept of the accounts of an import supplier.',
  );
export type ListKeptFieldsRequest = z.infer<typeof ListKeptFieldsRequest>;

export const KeptFieldCount = z
  .object({
    operation: field(ImportOperation, 'The call that sent them.', 'stage'),
    path: field(z.string(), 'Their dotted path, with list indexes as `*`.', 'supply_addresses.*.tariff.code'),
    accounts: field(z.number(), 'Of how many accounts they are kept.', 8783),
    values: field(z.number(), 'How many values are kept.', 9012),
  })
  .apply(documented, 'KeptFieldCount', 'The undocumented fields with one path, counted.');
export type KeptFieldCount = z.infer<typeof KeptFieldCount>;

export const ListKeptFieldsResponse = z
  .array(KeptFieldCount)
  .apply(
    documented,
    'ListKeptFieldsResponse',
    `The undocumented fields that are kept, those of most accounts first: at most ${limitText(LIMITS.kept_paths)} paths.`,
  );
