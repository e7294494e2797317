import { useQuery } from '@tanstack/react-query';
import { askAll } from './list-all.ts';

/** The organisations as choices of a field or filter, and their names by id. */
export function useOrganisations() {
  const { data = [] } = useQuery(askAll('organisations.list'));
  const names = new Map(data.map(({ id, name }) => [id, name]));
  return {
    choices: data.map(({ id, name }) => ({ value: id, name })),
    nameOf: (id: string) => names.get(id) ?? id,
  };
}
