import { useQuery } from '@tanstack/react-query';
import { ask } from './ask.ts';

/** Whether the key may change anything, and see personal data. False until that is known. */
export function useMayChange(): boolean {
  const { data } = useQuery({ ...ask('session.whoAmI', undefined), staleTime: Number.POSITIVE_INFINITY });
  return data?.role === 'FULL';
}
