import { TRPCClientError } from '@trpc/client';
import { expect } from 'vitest';
import { problemsOfDocumentationUrl } from '../support/documentation-url.ts';

/** The refusal of a tRPC call: its HTTP status, its code and the fields at fault. Throws if it was not refused. */
export async function refusal(call: Promise<unknown>): Promise<{ status: number; code: string; attrs: string[] }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TRPCClientError)) {
    throw error ?? new Error('The call was not refused.');
  }
  const { httpStatus: status, error: body } = error.data;
  expect(problemsOfDocumentationUrl(body.code, body.documentation_url)).toEqual([]);
  return { status, code: body.code, attrs: body.errors.map(({ attr }: { attr: string }) => attr) };
}
