import { TRPCClientError } from '@trpc/client';

/** Why a call was refused, as in every error body of the service. */
export interface Refusal {
  /** For people; its wording may change. */
  detail: string;
  /** Stable: see the list of codes on the documentation page. */
  code: string;
  errors: { detail: string; code: string; attr: string }[];
  /** The description of `code`, with what to do next: a path of the service. */
  documentation_url: string;
  status: number;
}

/** Reads the refusal from an error that a call threw; undefined if the service did not answer. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof TRPCClientError)) {
    return undefined;
  }
  const data = error.data as { error: Omit<Refusal, 'status'>; httpStatus: number } | undefined;
  return data === undefined ? undefined : { ...data.error, status: data.httpStatus };
}
