import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { IDENTIFIER_RULE } from '../identifiers.ts';
import { LIMITS } from '../limits.ts';
import { identifier } from '../text.ts';
import { limit } from './listing.ts';

const exampleTeam = {
  id: 'a8a2c7a1-18d5-4b6c-8f52-7c5a3f0e9d10',
  name: 'Migration support',
  created_at: '2026-03-02T08:10:00Z',
};
const newName = field(
  identifier(LIMITS.operations_team_name),
  `The name, unique among teams; process calls name the team by it. ${IDENTIFIER_RULE}`,
  exampleTeam.name,
);
const name = field(z.string(), 'The name, unique among teams; process calls name the team by it.', exampleTeam.name);

const exampleOrganisationId = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
const newOrganisationId = optional(
  Uuid,
  'The organisation whose import suppliers may use the team; for others it does not exist. Default: open to all.',
  exampleOrganisationId,
);

export const CreateOperationsTeamRequest = z.object({ name: newName, organisation_id: newOrganisationId }).meta({
  id: 'CreateOperationsTeamRequest',
  description: 'Creates a team to which accounts can be linked.',
  examples: [{ name: exampleTeam.name }],
});
export type CreateOperationsTeamRequest = z.infer<typeof CreateOperationsTeamRequest>;

export const ListOperationsTeamsRequest = z
  .object({
    limit,
    after: optional(Uuid, 'The id of the last team that you received.', exampleTeam.id),
  })
  .meta({
    id: 'ListOperationsTeamsRequest',
    description: 'Asks for the teams, oldest first. The input can be left out.',
    examples: [{ limit: 100 }],
  })
  .default({});
export type ListOperationsTeamsRequest = z.infer<typeof ListOperationsTeamsRequest>;

export const OperationsTeam = z
  .object({
    id: field(Uuid, 'The id of the team.', exampleTeam.id),
    name,
    organisation_id: field(
      Uuid.nullable(),
      'The organisation whose import suppliers may use the team; null if open to all.',
      exampleOrganisationId,
    ),
    created_at: field(UtcDatetime, 'When it was created, in UTC.', exampleTeam.created_at),
  })
  .apply(documented, 'OperationsTeam', 'A team of the service to which accounts can be linked.');
export type OperationsTeam = z.infer<typeof OperationsTeam>;

export const ListOperationsTeamsResponse = z
  .array(OperationsTeam)
  .apply(documented, 'ListOperationsTeamsResponse', 'The teams, oldest first.');
