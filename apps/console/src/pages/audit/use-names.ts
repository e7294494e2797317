import { useQuery } from '@tanstack/react-query';
import { askAll } from '../../data/list-all.ts';
import { useOrganisations } from '../../data/use-organisations.ts';

/** What people call what events have by its id: keys, organisations and teams. */
export function useNames(): ReadonlyMap<string, string> {
  const { data: keys = [] } = useQuery(askAll('apiKeys.list'));
  const { data: teams = [] } = useQuery(askAll('operationsTeams.list'));
  const { choices: organisations } = useOrganisations();
  return new Map([
    ...keys.map(({ id, label }) => [id, label] as const),
    ...teams.map(({ id, name }) => [id, name] as const),
    ...organisations.map(({ value: id, name }) => [id, name] as const),
  ]);
}
