import { TRPCClientError } from '@trpc/client';

/** Why a call was refused, as every error body of the service says it. */
export interface Refusal {
  /** For people; its wording may change. */
  detail: string;
  /** Stable: see the list of codes on the documentation page. */
  code: string;
  errors: { detail: string; code: string; attr: string }[];
  /** Where `code` is described, with what to do next: a path of the service. */
  documentation_url: string;
  status: number;
}

/** Reads the refusal off an error that a call threw; undefined where the service did not answer. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof TRPCClientError)) {
    return undefined;
  }
  const data = error.data as { error: Omit<Refusal, 'status'>; httpStatus: number } | undefined;
  return data === undefined ? undefined : { ...data.error, status: data.httpStatus };
}
