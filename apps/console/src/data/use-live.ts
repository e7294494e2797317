import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';

const MOVING_MS = 2_000;
/** Of what the service itself counts every 10 seconds only. */
export const SAMPLED_MS = 10_000;
/** Between two reads of what is at rest. */
export const RESTING_MS = 15_000;

/**
 * A read that is repeated: every 2 seconds, or `movingMs`, while `isMoving` says that what was read is about to change,
 * otherwise every 15 seconds, not at all in a hidden tab, and at once when somebody comes back to it.
 */
export function useLive<Data, Key extends QueryKey>(
  options: UseQueryOptions<Data, Error, Data, Key>,
  isMoving: (data: Data) => boolean = () => false,
  movingMs = MOVING_MS,
): UseQueryResult<Data> {
  return useQuery<Data, Error, Data, Key>({
    ...options,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isMoving(data) ? movingMs : RESTING_MS),
    refetchIntervalInBackground: false,
    // Anyone who comes back to the tab sees how it is now.
    refetchOnWindowFocus: 'always',
  });
}
