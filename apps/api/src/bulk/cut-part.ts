import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { accountNumberOf, type Body, cutBodies } from '@causeway/book';
import type { CutPart, PartBody } from '@causeway/domain';
import { invalidPart, openPart, type PartOptions, type Pause, withPartRefusals } from './part-lines.ts';

const compress = promisify(zstdCompress);

/**
 * Unpacks a part and cuts it into bodies, a few milliseconds at a time: others have the event loop in between. Refuses
 * with `bulk_part_invalid`.
 */
export function cutPart(bytes: Uint8Array, options: PartOptions): Promise<CutPart> {
  return withPartRefusals(async () => {
    const { sha256, lines, pause } = openPart(bytes, options);
    const bodies: PartBody[] = [];
    for await (const body of cutBodies(lines)) bodies.push(await packed(body, options.maxLineBytes, pause));
    if (bodies.length === 0) throw invalidPart('The part has no lines.');
    return { bytes: bytes.length, sha256, bodies };
  });
}

async function packed({ text, lines, span }: Body, maxLineBytes: number, pause: Pause): Promise<PartBody> {
  const accountNumbers: (string | null)[] = [];
  for (const line of lines) {
    accountNumbers.push(accountNumberOf(line.bytes, maxLineBytes) ?? null);
    await pause();
  }
  return { lines: lines.length, span, accountNumbers, body: await compress(text) };
}
