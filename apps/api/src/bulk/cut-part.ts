import { zstdCompressSync } from 'node:zlib';
import { accountNumberOf, cutBodies } from '@causeway/book';
import { LIMITS } from '@causeway/contracts';
import type { CutPart, PartBody } from '@causeway/domain';
import { noLines, openPart, type SentPart } from './part-lines.ts';

/** Unpacks a part and cuts it into bodies. It computes for seconds: in a thread. Throws a `PartRefusal`. */
export async function cutPart(sent: SentPart): Promise<{ part: CutPart; heldBytes: number }> {
  const { sha256, lines } = openPart(sent);
  const bodies: PartBody[] = [];
  let heldBytes = 0;
  for await (const { text, lines: framed, span } of cutBodies(lines)) {
    const accountNumbers = framed.map(({ bytes }) => accountNumberOf(bytes, sent.maxLineBytes) ?? null);
    const body = zstdCompressSync(text);
    bodies.push({ lines: framed.length, span, accountNumbers, body });
    heldBytes += body.length + framed.length * LIMITS.external_account_number;
  }
  if (bodies.length === 0) throw noLines();
  return { part: { bytes: sent.bytes.length, sha256, bodies }, heldBytes };
}
