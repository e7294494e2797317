import { connect } from 'node:net';

/** What a slow client never finishes. */
export type Slowness = 'nothing' | 'headers' | 'body' | 'body without a token';

export interface SlowSocket {
  slowness: Slowness;
  /** On the clock of `performance`; Infinity if it never was. */
  connectedAt: number;
  /** From the connection to its end by the other side, in milliseconds; Infinity if this side had to end it. */
  openMs: number;
  /** The first line of what came back, if anything did. */
  answer: string;
}

/** One byte every second, so that no idle timeout fires. */
const DRIP_EVERY_MS = 1_000;

/** Connects and sends as slowly as possible; resolves when the other side has closed the connection. */
export function holdSocket(
  url: string,
  { slowness, token }: { slowness: Slowness; token: string },
  signal: AbortSignal,
): Promise<SlowSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let connectedAt = Number.POSITIVE_INFINITY;
  let answer = '';
  return new Promise((resolve) => {
    const drip = setInterval(() => {
      // Not before the beginning: an extra byte there would make it invalid HTTP.
      if (slowness !== 'nothing' && !socket.connecting && socket.writable) socket.write('x');
    }, DRIP_EVERY_MS);
    const abandon = () => socket.destroy();
    signal.addEventListener('abort', abandon, { once: true });
    socket.once('connect', () => {
      connectedAt = performance.now();
      socket.write(beginningOf(slowness, token));
    });
    socket.on('data', (data) => {
      answer ||= data.toString('latin1').split('\r\n')[0] ?? '';
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(drip);
      signal.removeEventListener('abort', abandon);
      const openMs = Math.max(0, performance.now() - connectedAt);
      resolve({ slowness, answer, connectedAt, openMs: signal.aborted ? Number.POSITIVE_INFINITY : openMs });
    });
  });
}

function beginningOf(slowness: Slowness, token: string): string {
  const start = 'POST /v1/data-import/validate-account/ HTTP/1.1\r\nHost: causeway\r\n';
  const authorization = slowness === 'body' ? `Authorization: Token ${token}\r\n` : '';
  if (slowness === 'nothing') return '';
  if (slowness === 'headers') return `${start}X-Slow: `;
  return `${start}${authorization}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"import_supplier": "`;
}
