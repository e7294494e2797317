/** A Buffer costs some hundred bytes beside its own: smaller pieces are copied together. */
const SMALL_BYTES = 1_024;
const PAGE_BYTES = 4_096;
const NO_PAGE = Buffer.alloc(0);
const MAX_TINY = 1_000;

/** The pieces of a body in the order in which they came. */
export interface Pieces {
  /** Keeps a piece; returns how many more bytes of memory are taken now. */
  add(piece: Buffer): number;
  readonly bytes: number;
  readonly count: number;
  /** All of them as one, which only the caller keeps from here on. */
  join(): Buffer;
  drop(): void;
}

/** Takes about as much memory as the body has bytes, however small its pieces are. */
export function createPieces(): Pieces {
  const buffers: Buffer[] = [];
  let page: Buffer = NO_PAGE;
  let [pageStart, pageEnd] = [0, 0];
  let bytes = 0;
  let count = 0;

  function leavePage(): void {
    if (pageEnd > pageStart) buffers.push(page.subarray(pageStart, pageEnd));
    pageStart = pageEnd;
  }

  function drop(): void {
    buffers.length = 0;
    page = NO_PAGE;
    [pageStart, pageEnd] = [0, 0];
  }

  return {
    add(piece) {
      bytes += piece.length;
      count += 1;
      // Most bodies have one piece, which is not copied.
      if (count === 1 || piece.length >= SMALL_BYTES) {
        leavePage();
        buffers.push(piece);
        return piece.length;
      }
      const needsPage = page.length - pageEnd < piece.length;
      if (needsPage) {
        leavePage();
        page = Buffer.allocUnsafeSlow(PAGE_BYTES);
        [pageStart, pageEnd] = [0, 0];
      }
      piece.copy(page, pageEnd);
      pageEnd += piece.length;
      return needsPage ? PAGE_BYTES : 0;
    },
    get bytes() {
      return bytes;
    },
    get count() {
      return count;
    },
    join() {
      leavePage();
      const [first] = buffers;
      const all = buffers.length === 1 && first !== undefined ? first : Buffer.concat(buffers);
      drop();
      return all;
    },
    drop,
  };
}

/**
 * Whether there are many pieces, and fewer bytes in them than `least` on average: each costs the event loop the same.
 */
export function areTiny({ count, bytes }: Pick<Pieces, 'count' | 'bytes'>, least: number): boolean {
  return count > MAX_TINY && bytes < count * least;
}
