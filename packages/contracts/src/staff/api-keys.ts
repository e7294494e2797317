import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS } from '../limits.ts';
import { text } from '../text.ts';
import { limit } from './listing.ts';
import { STAFF_ROLES, StaffRole } from './staff-role.ts';

const exampleId = '6f0f5cf4-4f3e-4d53-8d0c-0a53b1d8a9f1';
const exampleOrganisationId = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
const id = field(Uuid, 'The id of the API key. It is not secret.', exampleId);
const newLabel = field(text(LIMITS.name), 'What the key is for.', 'Northwind migration, live');
const label = field(z.string(), 'What the key is for.', 'Northwind migration, live');
const organisationId = field(Uuid, 'The id of the organisation.', exampleOrganisationId);

export const IssueApiKeyRequest = z
  .object({ organisation_id: organisationId, label: newLabel })
  .apply(documented, 'IssueApiKeyRequest', 'Issues an API key to an organisation.');
export type IssueApiKeyRequest = z.infer<typeof IssueApiKeyRequest>;

export const IssueStaffApiKeyRequest = z
  .object({
    label: newLabel,
    person: optional(
      text(LIMITS.name),
      'The name of the person who alone uses the key: the audit trail, sign-offs and reports show it. A key without ' +
        'one works, but cannot sign a reconciliation off.',
      'Priya Raman',
    ),
    role: optional(StaffRole, `${STAFF_ROLES} Default: FULL. It cannot be changed.`, 'READ_ONLY'),
  })
  .meta({
    id: 'IssueStaffApiKeyRequest',
    description: 'Issues an API key to the service team, or to one person of it.',
    examples: [{ label: 'Support console', person: 'Priya Raman', role: 'READ_ONLY' }, { label: 'Nightly export' }],
  });
export type IssueStaffApiKeyRequest = z.infer<typeof IssueStaffApiKeyRequest>;

/** The only answer that contains a key. */
export const IssuedApiKey = z
  .object({
    id,
    api_key: field(
      z.string(),
      'The key itself. It is shown only once; only its digest is stored.',
      'the-key-is-shown-once-and-never-again',
    ),
  })
  .apply(documented, 'IssuedApiKey', 'The API key is issued. Pass it on now: it cannot be shown again.');
export type IssuedApiKey = z.infer<typeof IssuedApiKey>;

export const RevokeApiKeyRequest = z
  .object({ id })
  .apply(
    documented,
    'RevokeApiKeyRequest',
    'Revokes an API key: within 5 seconds it and its tokens stop working everywhere. Revoking it again changes nothing.',
  );
export type RevokeApiKeyRequest = z.infer<typeof RevokeApiKeyRequest>;

export const ListApiKeysRequest = z
  .object({
    organisation_id: optional(Uuid, 'Only the keys of this organisation. Default: all keys.', exampleOrganisationId),
    limit,
    after: optional(Uuid, 'The id of the last API key that you received.', exampleId),
  })
  .meta({
    id: 'ListApiKeysRequest',
    description: 'Asks for the API keys, oldest first. The input can be left out.',
    examples: [{ organisation_id: exampleOrganisationId }],
  })
  .default({});
export type ListApiKeysRequest = z.infer<typeof ListApiKeysRequest>;

export const ApiKey = z
  .object({
    id,
    organisation_id: field(
      Uuid.nullable(),
      'The organisation that the key belongs to; null for a key of the service team.',
      exampleOrganisationId,
    ),
    label,
    person: field(
      z.string().nullable(),
      'The person to whom the key was issued; null for a key of an organisation, or without a name.',
      null,
    ),
    role: field(
      StaffRole.nullable(),
      'What a key of the service team may do; null for a key of an organisation.',
      null,
    ),
    created_at: field(UtcDatetime, 'When the key was issued, in UTC.', '2026-03-02T08:05:00Z'),
    revoked_at: field(UtcDatetime.nullable(), 'When the key was revoked, in UTC; null while it works.', null),
  })
  .apply(documented, 'ApiKey', 'An API key, without the key itself.');
export type ApiKey = z.infer<typeof ApiKey>;

export const ListApiKeysResponse = z
  .array(ApiKey)
  .apply(documented, 'ListApiKeysResponse', 'The API keys, oldest first.');
