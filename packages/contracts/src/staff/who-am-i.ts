import { z } from 'zod';
import { documented, field } from '../field.ts';
import { Uuid } from '../formats.ts';
import { STAFF_ROLES, StaffRole } from './staff-role.ts';

const example = {
  kind: 'supplier' as const,
  label: 'Northwind migration, live',
  person: null,
  role: null,
  organisation: { id: '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55', name: 'Northwind Energy' },
};

/** Whose key a token was obtained with (behaviour 14.3.4). */
export const WhoAmI = z
  .object({
    kind: field(
      z.enum(['supplier', 'staff']),
      'Whether the key is an organisation’s or the service team’s.',
      'supplier',
    ),
    label: field(z.string(), 'What the key is for.', example.label),
    person: field(z.string().nullable(), 'The person who alone uses the key; null for a key without one.', null),
    role: field(
      StaffRole.nullable(),
      `What a key of the service team may do. ${STAFF_ROLES} Null for an organisation’s key.`,
      null,
    ),
    organisation: field(
      z
        .object({
          id: field(Uuid, 'Its id.', example.organisation.id),
          name: field(z.string(), 'Its name.', example.organisation.name),
        })
        .nullable(),
      'The organisation that the key belongs to; null for a key of the service team.',
    ),
  })
  .apply(documented, 'WhoAmI', 'The API key with which the token was obtained.');
export type WhoAmI = z.infer<typeof WhoAmI>;
