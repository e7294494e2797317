import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { type InputOf, type OutputOf, type Procedure, untyped } from './ask.ts';
import { queryClient } from './client.ts';

/**
 * A call that changes something: `const pause = useAction('dataImport.pauseBulkJob')`, then `pause.mutate({ .. })`.
 * Everything on the page is read again after it, whatever its outcome. `<Refusal of={pause} />` shows a refusal.
 */
export function useAction<P extends Procedure>(procedure: P): UseMutationResult<OutputOf<P>, Error, InputOf<P>> {
  return useMutation({
    mutationFn: async (input: InputOf<P>) => (await untyped.mutation(procedure, input)) as OutputOf<P>,
    onSettled: () => queryClient.invalidateQueries(),
  });
}
