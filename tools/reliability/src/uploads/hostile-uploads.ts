import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { goodLines, moveBook, type TriedUpload } from './upload-site.ts';

const MEBIBYTE = 1_048_576;
/** More than a part may have. */
const BOMB_BYTES = 96 * MEBIBYTE;
/** The first may be read, and the other is longer than a body may be. */
const LONG_LINES_BYTES = [9_000_000, 12_000_000];

let packedBombs: readonly Buffer[] | undefined;
let packedLines: Buffer | undefined;

/** Packs what takes longer to be packed than to be sent: to be called before anything is measured. */
export function packUploads(): { bombs: readonly Buffer[]; longLines: Buffer } {
  packedBombs ??= packBombs();
  packedLines ??= gzipSync(LONG_LINES_BYTES.map((bytes) => `{"notes":"${'x'.repeat(bytes)}"}\n`).join(''));
  return { bombs: packedBombs, longLines: packedLines };
}

function packBombs(): readonly Buffer[] {
  const zeros = Buffer.alloc(BOMB_BYTES);
  const member = gzipSync(Buffer.alloc(MEBIBYTE, 'a'));
  const frame = zstdCompressSync(Buffer.alloc(MEBIBYTE, 'a'));
  const window = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_enableLongDistanceMatching]: 1 };
  return [
    gzipSync(zeros),
    zstdCompressSync(zeros),
    Buffer.concat(Array.from({ length: BOMB_BYTES / MEBIBYTE }, () => member)),
    Buffer.concat(Array.from({ length: BOMB_BYTES / MEBIBYTE }, () => frame)),
    gzipSync(Buffer.alloc(MEBIBYTE, '{}\n')),
    zstdCompressSync(Buffer.alloc(32 * MEBIBYTE, 'window '), { params: window }),
    Buffer.concat([member, Buffer.from('not packed')]),
    member.subarray(0, -9),
  ];
}

const REFUSED = ['400 bulk_part_invalid'];

const explode: TriedUpload = async (uploader) => {
  const { bombs } = packUploads();
  const { jobs, supplier } = uploader;
  const jobId = await jobs.create();
  for (const [index, bomb] of bombs.entries()) await jobs.upload(jobId, index + 1, bomb, REFUSED);
  // A bomb in a bomb is unpacked once: what comes out is no line that anybody could read.
  const nested = zstdCompressSync(gzipSync(bombs[0] ?? Buffer.alloc(1)));
  await jobs.upload(jobId, 1, nested, ['201', ...REFUSED]);
  await jobs.cancel(jobId);
  const { accounts, book } = goodLines(supplier, 'AFTER-BOMBS');
  return moveBook(uploader, { accounts, book: zstdCompressSync(book) });
};

/** What stands between good lines; each is refused, and the next line is none the worse for it. */
const BROKEN: readonly Buffer[] = [
  Buffer.from('{"account":{"external_account_number":"\u0007\u001b[31m"}}'),
  Buffer.from(Array.from({ length: 31 }, (_, code) => (code === 9 ? 1 : code + 1))),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xc3, 0x28, 0xe2, 0x82]),
  Buffer.alloc(1_000),
  Buffer.from('{"account":{"external_account_number":"N\\u0000"}}'),
  Buffer.from('{"account":{"external_account_number":"N\\ud800"}}'),
  Buffer.from('\uFEFF\uFEFF{}'),
  Buffer.from('\uFEFF{"a":1,"a":2}'),
  Buffer.from('['.repeat(100_000)),
  Buffer.from(`{"account":${'{"a":'.repeat(5_000)}`),
  Buffer.from('\u2028{}\u2029'),
];

const garble: TriedUpload = async (uploader) => {
  const { accounts, book } = goodLines(uploader.supplier, 'GARBLED');
  const good = book.toString().trim().split('\n');
  const broken = BROKEN.map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13)));
  // A mark before a good line is left out, and blank lines are none.
  const lines = good.flatMap((line, index) => [broken[index] ?? Buffer.from(' \t '), Buffer.from(`\uFEFF${line}\r`)]);
  const text = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  return moveBook(uploader, { accounts, book: text }, { created: accounts.length, refused: broken.length });
};

const stretch: TriedUpload = async (uploader) => {
  const { accounts, book } = goodLines(uploader.supplier, 'BESIDE-LONG', 20);
  const packed = gzipSync(book);
  const long = Buffer.concat([packed, packUploads().longLines, packed]);
  const refused = LONG_LINES_BYTES.length + accounts.length;
  return moveBook(uploader, { accounts, book: long }, { created: accounts.length, refused });
};

/** Bytes that harm anyone who reads them carelessly. Cut parts and foreign jobs: apps/api/test/bulk/parts.test.ts. */
export const HOSTILE_UPLOADS: Record<string, TriedUpload> = {
  'zip bombs, and packed parts that are damaged': explode,
  'control characters, no UTF-8, NUL, marks and depth': garble,
  'lines of 9 and 12 MB, and every account twice': stretch,
};
