import type { Socket } from 'node:net';

/** A Buffer costs some hundred bytes beside its own: smaller pieces are copied together. */
const SMALL_BYTES = 1_024;
const PAGE_BYTES = 4_096;
const NO_PAGE = Buffer.alloc(0);
const MAX_TINY = 1_000;

/**
 * The pieces of a body in the order in which they came. They take about as much memory as the body has bytes, however
 * small they are. A class, because getters of a literal are defined anew for each request (docs/decisions/0014).
 */
export class Pieces {
  #bytes = 0;
  #count = 0;
  readonly #buffers: Buffer[] = [];
  #page: Buffer = NO_PAGE;
  #pageStart = 0;
  #pageEnd = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get count(): number {
    return this.#count;
  }

  /** Keeps a piece; returns how many more bytes of memory are taken now. */
  add(piece: Buffer): number {
    this.#bytes += piece.length;
    this.#count += 1;
    // Most bodies have one piece, which is not copied.
    if (this.#count === 1 || piece.length >= SMALL_BYTES) {
      this.#leavePage();
      this.#buffers.push(piece);
      return piece.length;
    }
    const needsPage = this.#page.length - this.#pageEnd < piece.length;
    if (needsPage) {
      this.#leavePage();
      this.#page = Buffer.allocUnsafeSlow(PAGE_BYTES);
      this.#pageStart = 0;
      this.#pageEnd = 0;
    }
    piece.copy(this.#page, this.#pageEnd);
    this.#pageEnd += piece.length;
    return needsPage ? PAGE_BYTES : 0;
  }

  /** All of them as one, which only the caller keeps from here on. */
  join(): Buffer {
    this.#leavePage();
    const [first] = this.#buffers;
    const all = this.#buffers.length === 1 && first !== undefined ? first : Buffer.concat(this.#buffers);
    this.drop();
    return all;
  }

  drop(): void {
    this.#buffers.length = 0;
    this.#page = NO_PAGE;
    this.#pageStart = 0;
    this.#pageEnd = 0;
  }

  #leavePage(): void {
    if (this.#pageEnd > this.#pageStart) this.#buffers.push(this.#page.subarray(this.#pageStart, this.#pageEnd));
    this.#pageStart = this.#pageEnd;
  }
}

/**
 * Whether there are many pieces, and fewer bytes in them than `least` on average: each costs the event loop the same.
 */
export function areTiny({ count, bytes }: Pick<Pieces, 'count' | 'bytes'>, least: number): boolean {
  return count > MAX_TINY && bytes < count * least;
}

/** What connections have brought in this turn of the event loop, for whichever of their requests. */
const broughtInTurn = new WeakMap<Socket, { count: number; bytes: number }>();

/** Counts a piece; whether its connection brings tiny ones: several requests may come in one go, each with few. */
export function bringsTiny(socket: Socket, { length }: Buffer, least: number): boolean {
  const brought = broughtInTurn.get(socket) ?? { count: 0, bytes: 0 };
  if (brought.count === 0) setImmediate(() => broughtInTurn.delete(socket));
  brought.count += 1;
  brought.bytes += length;
  broughtInTurn.set(socket, brought);
  return areTiny(brought, least);
}
