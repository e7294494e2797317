import { get } from 'node:http';

/** A whole list, streamed and counted without keeping the records in memory. */
export interface ListJob {
  url: string;
  path: string;
  token: string;
}

export interface ListResult {
  status: number;
  bytes: number;
  records: number;
  firstByteMs: number;
  milliseconds: number;
  /** Whether it began with [ and ended with ]. */
  isWhole: boolean;
}

const RECORD = Buffer.from('{"');

export function runList({ url, path, token }: ListJob): Promise<ListResult> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const result = { status: 0, bytes: 0, records: 0, firstByteMs: 0, milliseconds: 0, isWhole: false };
    const request = get(new URL(path, url), { headers: { authorization: `Token ${token}` } }, (response) => {
      result.status = response.statusCode ?? 0;
      let first: number | undefined;
      // The last byte of a chunk is kept for the next one: a separator may span both.
      let rest: Buffer = Buffer.alloc(0);
      response.on('data', (chunk: Buffer) => {
        if (first === undefined) {
          result.firstByteMs = performance.now() - startedAt;
          first = chunk[0];
        }
        result.bytes += chunk.length;
        const text = Buffer.concat([rest, chunk]);
        for (let at = text.indexOf(RECORD); at !== -1; at = text.indexOf(RECORD, at + 1)) result.records += 1;
        rest = text.subarray(text.length - 1);
      });
      response.on('end', () => {
        result.milliseconds = performance.now() - startedAt;
        result.isWhole = response.complete && first === 0x5b && rest[0] === 0x5d;
        resolve(result);
      });
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
