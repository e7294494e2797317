import { readManifestLine } from '@causeway/book';
import { type FieldError, LIMITS } from '@causeway/contracts';
import type { NumberedLine, ReadManifestPart } from '@causeway/domain';
import { noLines, openPart, type SentPart } from './part-lines.ts';

/**
 * Unpacks and reads a part of a manifest, in a thread; beyond as many problems as are reported it stops. Throws a
 * `PartRefusal`.
 */
export async function readManifestPart(
  sent: SentPart,
  importSupplier: string,
): Promise<{ part: ReadManifestPart; heldBytes: number }> {
  const opened = openPart({ ...sent, maxLineBytes: LIMITS.manifest_line_bytes });
  const lines: NumberedLine[] = [];
  const errors: FieldError[] = [];
  let heldBytes = 0;
  for await (const { number, bytes } of opened.lines) {
    if (bytes.length === 0) continue;
    heldBytes += bytes.length;
    const read = readManifestLine(bytes, { importSupplier });
    if ('line' in read) lines.push({ ...read.line, number });
    else errors.push(...read.errors.map((error) => inLine(number, error)));
    if (errors.length >= LIMITS.reported_errors) break;
  }
  if (lines.length === 0 && errors.length === 0) throw noLines();
  return { part: { bytes: sent.bytes.length, sha256: opened.sha256, lines, errors }, heldBytes };
}

function inLine(number: number, { attr, ...error }: FieldError): FieldError {
  return { ...error, attr: attr === '' ? `${number}` : `${number}.${attr}` };
}
