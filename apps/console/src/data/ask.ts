import type { Inputs, Outputs } from '@causeway/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getUntypedClient } from '@trpc/client';
import { client } from './client.ts';

type Area = keyof Outputs & string;
/** `overview.readiness`, as the router's table of contents has it. */
export type Procedure = { [A in Area]: `${A}.${keyof Outputs[A] & string}` }[Area];
type Of<All extends Record<Area, unknown>, P extends Procedure> = P extends `${infer A extends Area}.${infer N}`
  ? N extends keyof All[A]
    ? All[A][N]
    : never
  : never;
export type InputOf<P extends Procedure> = Of<Inputs, P>;
export type OutputOf<P extends Procedure> = Of<Outputs, P>;

/** The service's client, by the names of procedures. */
export const untyped = getUntypedClient(client);

/**
 * A read of the service for `useQuery`, `useLive` or `ensureQueryData`: `ask('overview.readiness', { code })`. While
 * another input is being read, what was read for the one before stays on the page.
 */
export function ask<P extends Procedure>(procedure: P, input: InputOf<P>) {
  return queryOptions({
    queryKey: [procedure, input] as const,
    queryFn: async ({ signal }) => (await untyped.query(procedure, input, { signal })) as OutputOf<P>,
    placeholderData: keepPreviousData,
  });
}
