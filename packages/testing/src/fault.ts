import type { MessageReader } from './postgres-messages.ts';

export type Direction = 'to-server' | 'to-client';

/**
 * What breaks, and when. Each connection counts separately, from the arming of the fault or the start of the
 * connection.
 */
export interface Fault {
  direction: Direction;
  /**
   * Fires at the first byte after this many bytes, or at the message after this many messages, or before the first
   * message of a type (`S` is Sync). Messages need a proxy that follows PostgreSQL's protocol.
   */
  at: { bytes: number } | { messages: number } | { messageType: string };
  /** Forwards the first half of that message. */
  half?: boolean;
  /** Both sides lose the connection, or both keep it but receive nothing more, or it is slow from now on. */
  does: 'cut' | 'black-hole' | { delayMs: number };
  /** The number of connections affected. Default: 1. */
  times?: number;
}

/** The traffic of a connection. */
export type Traffic = Record<Direction, { bytes: number; messages: number }>;

export const noTraffic = (): Traffic => ({
  'to-server': { bytes: 0, messages: 0 },
  'to-client': { bytes: 0, messages: 0 },
});

/** Of the connection that carried the most to the server. */
export function busiest(all: readonly Traffic[]): Traffic {
  return all.reduce((most, one) => (one['to-server'].bytes > most['to-server'].bytes ? one : most), noTraffic());
}

/** How many of the bytes after this traffic still pass before the fault fires. Undefined if it does not. */
export function strikesAfter(
  { at, half, direction }: Fault,
  traffic: Traffic,
  { bytes, starts }: ReturnType<MessageReader['read']>,
): number | undefined {
  const passed = traffic[direction];
  if ('bytes' in at) {
    const end = at.bytes - passed.bytes;
    return end < bytes.length ? Math.max(0, end) : undefined;
  }
  const start =
    'messages' in at ? starts[at.messages - passed.messages] : starts.find(({ type }) => type === at.messageType);
  if (start === undefined) return undefined;
  return half === true ? Math.min(bytes.length, start.offset + Math.ceil(start.length / 2)) : start.offset;
}
