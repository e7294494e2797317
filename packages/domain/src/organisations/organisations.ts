import { randomUUID } from 'node:crypto';
import type {
  CreateOrganisationRequest,
  CreateOrganisationResponse,
  ListOrganisationsRequest,
  Organisation,
} from '@causeway/contracts';
import { isForeignKeyViolation, isUniqueViolation, sql } from '@causeway/db';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { DomainError, invalidField } from '../shared/errors.ts';
import { pageById, pageValues } from '../shared/list-page.ts';

/** Creates an organisation (behaviour 14.2). Names are unique: a second one is `organisation_already_exists`. */
export async function createOrganisation(
  context: Context,
  { name }: CreateOrganisationRequest,
): Promise<CreateOrganisationResponse> {
  const id = randomUUID();
  try {
    await context.database.query(CREATE_ORGANISATION, { ...auditValues(context, id), name });
  } catch (error) {
    if (isUniqueViolation(error)) {
      const detail = 'An organisation with this name exists already.';
      throw new DomainError('organisation_already_exists', detail, { attr: 'name', cause: error });
    }
    throw error;
  }
  return { id, name };
}

const CREATE_ORGANISATION = sql('create-organisation')`
  WITH created AS (
    INSERT INTO organisations (id, name, created_at)
    VALUES (${'id'}, ${'name'}, ${'at'})
  )
  INSERT INTO audit_events ${AUDITED} 'organisation', 'created', jsonb_build_object('name', ${'name'}::text)`;

/** The organisations, oldest first (behaviour 14.2). */
export async function listOrganisations(context: Context, request: ListOrganisationsRequest): Promise<Organisation[]> {
  const rows = await context.database.query(LIST_ORGANISATIONS, pageValues(request));
  return rows.map(withUtcDatetimes);
}

const LIST_ORGANISATIONS = sql('list-organisations', { id: 'uuid', name: 'text', created_at: 'timestamptz' })`
  SELECT id, name, created_at
  FROM organisations
  WHERE ${pageById('organisations')}`;

/**
 * The organisation that a call is about: the caller's own or, of the service team, the one that it names. Refuses with
 * `request_failed_validation` if it names none, one that does not exist, or another one than its own.
 */
export async function organisationOf(
  { actor, database }: Context,
  { organisation_id }: { organisation_id?: string | undefined },
): Promise<string> {
  if (actor.kind === 'organisation') {
    if (organisation_id !== undefined && organisation_id !== actor.organisationId) throw unknownOrganisation();
    return actor.organisationId;
  }
  if (organisation_id === undefined) throw invalidField('organisation_id', 'Name the organisation that you mean.');
  const [known] = await database.query(FIND_ORGANISATION, { organisation_id });
  if (known === undefined) throw unknownOrganisation();
  return known.id;
}

const FIND_ORGANISATION = sql('find-organisation', { id: 'uuid' })`
  SELECT id
  FROM organisations
  WHERE id = ${'organisation_id'}`;

/** Another organisation's id is answered as one that was never created. */
const unknownOrganisation = () => invalidField('organisation_id', 'There is no organisation with this id.');

/** What a write has failed with, as a refusal if it names an organisation that was never created. */
export function refuseUnknownOrganisation(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error;
  const detail = 'There is no organisation with this id.';
  throw new DomainError('organisation_does_not_exist', detail, { attr: 'organisation_id', cause: error });
}
