import { connect } from 'node:net';
import { percentile } from '@causeway/testing';
import { nameOf, send } from '../rig/send.ts';
import { startWorld } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const CLOSED_WITHIN_MS = 15_000;
/** How long a socket may stay open before it counts as never closed. */
const PATIENCE_MS = 120_000;
const GOOD_CALLS = 400;
/** What a slow client never finishes, and the service's limit of it. */
const LIMITS_MS = { nothing: 10_000, headers: 10_000, body: 15_000, 'body without a token': 15_000 };
type Slowness = keyof typeof LIMITS_MS;
const KINDS = Object.keys(LIMITS_MS) as Slowness[];

/** Many sockets that send as slowly as possible, beside one well-behaved client. */
export const outlastSlowSockets: Scenario = {
  row: 10,
  title: 'slow sockets',
  alone: true,
  unit: 'sockets',
  full: 1_000,
  short: 50,
  async run(size): Promise<Outcome> {
    await using world = await startWorld();
    const supplier = await world.createSupplier();
    const path = `/v1/data-import/all-account-import-processes/${supplier.code}/`;
    const refused: string[] = [];
    const good = async (): Promise<number> => {
      const startedAt = performance.now();
      const answer = await send(world.url(), { path, token: supplier.token });
      if (answer?.status !== 200) refused.push(nameOf(answer));
      return performance.now() - startedAt;
    };
    const measure = async (isOver: (calls: number) => boolean): Promise<number[]> => {
      const times: number[] = [];
      while (!isOver(times.length)) times.push(await good());
      return times;
    };
    await measure((calls) => calls >= GOOD_CALLS);
    const before = await measure((calls) => calls >= GOOD_CALLS);

    const patience = AbortSignal.timeout(PATIENCE_MS);
    const closed: SlowSocket[] = [];
    const sockets = Array.from({ length: size }, async (_, number) => {
      const slowness = KINDS[number % KINDS.length] ?? 'nothing';
      closed.push(await holdSocket(world.url(), { slowness, token: supplier.token }, patience));
    });
    const during = await measure((calls) => calls >= GOOD_CALLS && closed.length > 0);
    await Promise.all(sockets);

    const slowest = (kind: Slowness) =>
      Math.max(...closed.filter((one) => one.slowness === kind).map(({ openMs }) => openMs));
    const [p99Before, p99During] = [percentile(before, 0.99), percentile(during, 0.99)];
    const ends = KINDS.map((kind) => `${kind} ${(slowest(kind) / 1000).toFixed(1)} s`).join(', ');
    return {
      figures: `${size} sockets closed after at most: ${ends}; a good client's p99 ${p99Before.toFixed(1)} ms before, ${p99During.toFixed(1)} ms meanwhile (${during.length} calls)`,
      claims: [
        ...none({
          'sockets never closed': closed
            .filter(({ openMs }) => openMs === Number.POSITIVE_INFINITY)
            .map(({ slowness }) => slowness),
          'calls of the good client refused': refused,
        }),
        exactly('slow sockets open at once', peakOf(closed), size),
        ...none({
          'closed before half of their limit': closed.filter(
            ({ slowness, openMs }) => openMs < LIMITS_MS[slowness] / 2,
          ),
        }),
        within('a slow socket is closed', Math.max(...closed.map(({ openMs }) => openMs)), CLOSED_WITHIN_MS),
        within('p99 of a good client, at twice what it was before', p99During, 2 * p99Before),
      ],
    };
  },
};

/** The maximum number open concurrently; it is always reached when one of them connects. */
function peakOf(sockets: readonly SlowSocket[]): number {
  const openAt = (moment: number) =>
    sockets.filter(({ connectedAt, openMs }) => connectedAt <= moment && moment < connectedAt + openMs).length;
  return Math.max(...sockets.map(({ connectedAt }) => openAt(connectedAt)));
}

interface SlowSocket {
  slowness: Slowness;
  /** On the clock of `performance`; Infinity if it never was. */
  connectedAt: number;
  /** From the connection to its end by the other side, in milliseconds; Infinity if this side had to end it. */
  openMs: number;
}

/** One byte every second, so that no idle timeout fires. */
const DRIP_EVERY_MS = 1_000;

/** Connects and sends as slowly as possible; resolves when the other side has closed the connection. */
function holdSocket(
  url: string,
  { slowness, token }: { slowness: Slowness; token: string },
  signal: AbortSignal,
): Promise<SlowSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let connectedAt = Number.POSITIVE_INFINITY;
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
    socket.resume();
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(drip);
      signal.removeEventListener('abort', abandon);
      const openMs = Math.max(0, performance.now() - connectedAt);
      resolve({ slowness, connectedAt, openMs: signal.aborted ? Number.POSITIVE_INFINITY : openMs });
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
