import { LIMITS } from '@causeway/contracts';
import { putBulkPart } from '@causeway/domain';
import type { FileRequest } from './file-routes.ts';
import { receivePart } from './receive-part.ts';

/** Receives a part of a job, stores it and answers (behaviour 21.4). */
export function putPart(call: FileRequest): Promise<void> {
  const job_id = call.pathParameters.job_id ?? '';
  return receivePart(call, LIMITS.bulk_parts, ({ context, number, unpack }) =>
    putBulkPart(context, { job_id, number }, () => unpack({ kind: 'book' })),
  );
}
