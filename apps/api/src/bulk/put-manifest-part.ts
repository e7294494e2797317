import { LIMITS } from '@causeway/contracts';
import { putManifestPart as put } from '@causeway/domain';
import type { FileRequest } from './file-routes.ts';
import { receivePart } from './receive-part.ts';

/** Receives a part of a manifest, stores it and answers (behaviour 22.2). */
export function putManifestPart(call: FileRequest): Promise<void> {
  const manifest_id = call.pathParameters.manifest_id ?? '';
  return receivePart(call, LIMITS.manifest_parts, ({ context, number, unpack }) =>
    put(context, { manifest_id, number }, (importSupplier) => unpack({ kind: 'manifest', importSupplier })),
  );
}
