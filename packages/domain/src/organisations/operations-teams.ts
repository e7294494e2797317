import { randomUUID } from 'node:crypto';
import type { CreateOperationsTeamRequest, ListOperationsTeamsRequest, OperationsTeam } from '@causeway/contracts';
import { isUniqueViolation, sql } from '@causeway/db';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, withUtcDatetimes } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { pageById, pageValues } from '../shared/list-page.ts';
import { refuseUnknownOrganisation } from './organisations.ts';

/**
 * Creates a team to which accounts are linked (behaviour 14.5), for one organisation's import suppliers or for all. A
 * second one with the same name is `operations_team_already_exists`, an organisation that was never created
 * `organisation_does_not_exist`.
 */
export async function createOperationsTeam(
  context: Context,
  { name, ...request }: CreateOperationsTeamRequest,
): Promise<OperationsTeam> {
  const { organisation_id = null } = request;
  const audit = auditValues(context, randomUUID());
  try {
    await context.database.query(CREATE_OPERATIONS_TEAM, { ...audit, name, organisation_id });
  } catch (error) {
    if (isUniqueViolation(error)) {
      const detail = 'An operations team with this name exists already.';
      throw new DomainError('operations_team_already_exists', detail, { attr: 'name', cause: error });
    }
    refuseUnknownOrganisation(error);
  }
  return { id: audit.id, name, organisation_id, created_at: utcDatetime(new Date(audit.at)) };
}

const CREATE_OPERATIONS_TEAM = sql('create-operations-team')`
  WITH created AS (
    INSERT INTO operations_teams (id, name, organisation_id, created_at)
    VALUES (${'id'}, ${'name'}, ${'organisation_id'}, ${'at'})
  )
  INSERT INTO audit_events ${AUDITED} 'operations_team', 'created',
    jsonb_strip_nulls(jsonb_build_object('name', ${'name'}::text, 'organisation_id', ${'organisation_id'}::uuid))`;

/** The teams to which accounts can be linked, oldest first (behaviour 14.5). */
export async function listOperationsTeams(
  context: Context,
  request: ListOperationsTeamsRequest,
): Promise<OperationsTeam[]> {
  const rows = await context.database.query(LIST_OPERATIONS_TEAMS, pageValues(request));
  return rows.map(withUtcDatetimes);
}

const LIST_OPERATIONS_TEAMS = sql('list-operations-teams', {
  id: 'uuid',
  name: 'text',
  organisation_id: 'uuid | null',
  created_at: 'timestamptz',
})`
  SELECT id, name, organisation_id, created_at
  FROM operations_teams
  WHERE ${pageById('operations_teams')}`;
