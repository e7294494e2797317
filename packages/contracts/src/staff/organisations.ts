import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { IDENTIFIER_RULE } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { identifier } from '../text.ts';
import { limit } from './listing.ts';

const exampleId = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
const newName = field(
  identifier(LIMITS.name),
  `The name, unique among organisations, up to ${limitText(LIMITS.name)} characters. ${IDENTIFIER_RULE}`,
  'Northwind Energy',
);
const name = field(z.string(), 'The name, unique among organisations.', 'Northwind Energy');
const id = field(Uuid, 'The id of the organisation.', exampleId);

export const CreateOrganisationRequest = z
  .object({ name: newName })
  .apply(
    documented,
    'CreateOrganisationRequest',
    'Creates an organisation: a migrating party, which owns API keys and import suppliers.',
  );
export type CreateOrganisationRequest = z.infer<typeof CreateOrganisationRequest>;

export const CreateOrganisationResponse = z
  .object({ id, name })
  .apply(documented, 'CreateOrganisationResponse', 'The organisation is created.');
export type CreateOrganisationResponse = z.infer<typeof CreateOrganisationResponse>;

export const ListOrganisationsRequest = z
  .object({ limit, after: optional(Uuid, 'The id of the last organisation that you received.', exampleId) })
  .meta({
    id: 'ListOrganisationsRequest',
    description: 'Asks for the organisations, oldest first. The input can be left out.',
    examples: [{ limit: 100 }],
  })
  .default({});
export type ListOrganisationsRequest = z.infer<typeof ListOrganisationsRequest>;

export const Organisation = z
  .object({ id, name, created_at: field(UtcDatetime, 'When it was created, in UTC.', '2026-03-02T08:00:00Z') })
  .apply(documented, 'Organisation', 'A migrating party.');
export type Organisation = z.infer<typeof Organisation>;

export const ListOrganisationsResponse = z
  .array(Organisation)
  .apply(documented, 'ListOrganisationsResponse', 'The organisations, oldest first.');
