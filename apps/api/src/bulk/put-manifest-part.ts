import { readManifestLine } from '@causeway/book';
import { type FieldError, LIMITS } from '@causeway/contracts';
import { accountImportId, type NumberedLine, putManifestPart as put, type ReadManifestPart } from '@causeway/domain';
import type { FileRequest } from './file-routes.ts';
import { invalidPart, openPart, type PartOptions, withPartRefusals } from './part-lines.ts';
import { receivePart } from './receive-part.ts';

/** Receives a part of a manifest, stores it and answers (behaviour 22.2). */
export function putManifestPart(call: FileRequest): Promise<void> {
  const manifest_id = call.pathParameters.manifest_id ?? '';
  return receivePart(call, LIMITS.manifest_parts, ({ context, number, bytes, options }) =>
    put(context, { manifest_id, number }, (importSupplier) => readPart(bytes, importSupplier, options)),
  );
}

/** Unpacks and reads a part, a few milliseconds at a time. Beyond as many problems as are reported it stops. */
function readPart(bytes: Uint8Array, importSupplier: string, options: PartOptions): Promise<ReadManifestPart> {
  return withPartRefusals(async () => {
    const opened = openPart(bytes, options);
    const lines: NumberedLine[] = [];
    const errors: FieldError[] = [];
    for await (const { number, bytes: text } of opened.lines) {
      if (text.length === 0) continue;
      const read = readManifestLine(text, { importSupplier, maxLineBytes: options.maxLineBytes });
      if ('line' in read) {
        const account_import_id = accountImportId(importSupplier, read.line.external_account_number);
        lines.push({ ...read.line, number, account_import_id });
      } else {
        errors.push(...read.errors.map((error) => inLine(number, error)));
      }
      if (errors.length >= LIMITS.reported_errors) break;
    }
    if (lines.length === 0 && errors.length === 0) throw invalidPart('The part has no lines.');
    return { bytes: bytes.length, sha256: opened.sha256, lines, errors };
  });
}

function inLine(number: number, { attr, ...error }: FieldError): FieldError {
  return { ...error, attr: attr === '' ? `${number}` : `${number}.${attr}` };
}
