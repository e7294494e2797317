import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartRefusal, type UnpackOptions, unpack } from '../src/index.ts';
import { allOf, framed, inPieces, lineBytes, pieceSizes } from './support.ts';

const PACKERS = { gzip: gzipSync, zstd: zstdCompressSync } as const;
const packings = ['gzip', 'zstd'] as const;

async function unpacked(pieces: Iterable<Uint8Array>, options?: UnpackOptions): Promise<Buffer> {
  return Buffer.concat(await allOf(unpack(pieces, options)));
}

test.each(packings)(
  '21.2.3 what was packed with %s comes back byte for byte, in any members and pieces',
  async (packing) => {
    const pack = PACKERS[packing];
    const members = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(members, pieceSizes, fc.boolean(), async (sent, sizes, isSaid) => {
        const packed = Buffer.concat(sent.map((member) => pack(member)));
        const options = isSaid ? { encoding: packing } : {};
        expect(await unpacked(inPieces(packed, sizes), options)).toEqual(Buffer.concat(sent));
      }),
    );
  },
);

test.each(packings)('21.2.1 lines packed with %s are those that were sent', async (packing) => {
  await fc.assert(
    fc.asyncProperty(fc.array(lineBytes), pieceSizes, async (sent, sizes) => {
      const packed = PACKERS[packing](Buffer.concat(sent.flatMap((line) => [line, Buffer.from('\n')])));
      const lines = await framed([await unpacked(inPieces(packed, sizes))]);
      expect(lines.map(({ bytes }) => bytes)).toEqual(sent);
    }),
  );
});

test('21.2.3 what is not packed comes back as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), pieceSizes, async (text, sizes) => {
      const sent = Buffer.from(text);
      expect(await unpacked(inPieces(sent, sizes), { encoding: 'identity' })).toEqual(sent);
    }),
  );
});

test.each(packings)(
  '21.2.3 %s that is cut off anywhere, or followed by something else, is refused',
  async (packing) => {
    const packed = PACKERS[packing](Buffer.from('{"a":1}\n{"a":2}\n'.repeat(20)));
    for (let length = 0; length < packed.length; length += 1) {
      const refusal = unpacked([packed.subarray(0, length)], { encoding: packing });
      await expect(refusal, `${length} bytes`).rejects.toThrow(PartRefusal);
    }
    await expect(unpacked([packed, Buffer.from('{"a":3}\n')])).rejects.toThrow(`cannot be unpacked as ${packing}`);
  },
);

test.each(packings)('21.2.3 what says that it is %s and is not is refused', async (encoding) => {
  await expect(unpacked([Buffer.from('{"a":1}\n')], { encoding })).rejects.toThrow(PartRefusal);
});

test('21.2.3 zstd that needs a window above 8 MiB is refused, with the reason', async () => {
  const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 };
  const packed = zstdCompressSync(Buffer.alloc(20_000_000), { params });
  await expect(unpacked([packed])).rejects.toThrow('window is larger than 8 MiB');
});

test.each(packings)(
  '21.2.4 a bomb of %s is stopped at the limit, and nothing after it is unpacked',
  async (packing) => {
    const bomb = PACKERS[packing](Buffer.alloc(200_000_000));
    const maxBytes = 1_000_000;
    let bytes = 0;
    const all = (async () => {
      for await (const piece of unpack([bomb], { maxBytes })) bytes += piece.length;
    })();
    await expect(all).rejects.toThrow('more than 1,000,000 bytes');
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  },
);

test('21.2.4 a source that fails is not taken for a damaged part, and one that is not needed is closed', async () => {
  const packed = gzipSync(Buffer.alloc(10_000_000));
  const closed = Promise.withResolvers<void>();
  async function* source(fails: boolean) {
    try {
      yield packed.subarray(0, 100);
      if (fails) throw new Error('the connection was cut');
      yield packed.subarray(100);
    } finally {
      closed.resolve();
    }
  }
  await expect(allOf(unpack(source(false), { maxBytes: 1 }))).rejects.toThrow(PartRefusal);
  await closed.promise;
  await expect(allOf(unpack(source(true)))).rejects.toThrow('the connection was cut');
});
