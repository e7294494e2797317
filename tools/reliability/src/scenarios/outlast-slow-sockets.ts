import { percentile } from '@causeway/testing';
import { timeUntil } from '../rig/gate.ts';
import { nameOf, send } from '../rig/send.ts';
import { holdSocket, type Slowness, type SlowSocket } from '../rig/slow-socket.ts';
import { startWorld } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const CLOSED_WITHIN_MS = 15_000;
/** How long a socket may stay open before it counts as never closed. */
const PATIENCE_MS = 120_000;
const GOOD_CALLS = 400;
const KINDS: readonly Slowness[] = ['nothing', 'headers', 'body', 'body without a token'];
/** Short limits, so that the small form need not wait for those of production. */
const SHORT_LIMITS = { HEADERS_TIMEOUT_MS: '1000', BODY_TIMEOUT_MS: '1500' };
/** The service's defaults. */
const PRODUCTION_LIMITS = { HEADERS_TIMEOUT_MS: '10000', BODY_TIMEOUT_MS: '15000' };
const PRODUCTION_SIZE = 1_000;

/** Many sockets that send as slowly as possible, beside one well-behaved client. */
export const outlastSlowSockets: Scenario = {
  row: 10,
  title: 'slow sockets',
  alone: true,
  unit: 'sockets',
  full: PRODUCTION_SIZE,
  short: 50,
  async run(size): Promise<Outcome> {
    const isShort = size < PRODUCTION_SIZE;
    const limits = isShort ? SHORT_LIMITS : PRODUCTION_LIMITS;
    const limitMs = (slowness: Slowness) =>
      Number(slowness.startsWith('body') ? limits.BODY_TIMEOUT_MS : limits.HEADERS_TIMEOUT_MS);
    await using world = await startWorld({ variables: isShort ? SHORT_LIMITS : {} });
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
    await Promise.race([Promise.all(sockets), timeUntil(() => closed.length === size)]);
    await Promise.all(sockets);

    const slowest = (kind: Slowness) =>
      Math.max(...closed.filter((one) => one.slowness === kind).map(({ openMs }) => openMs));
    const [p99Before, p99During] = [percentile(before, 0.99), percentile(during, 0.99)];
    const ends = KINDS.map((kind) => `${kind} ${(slowest(kind) / 1000).toFixed(1)} s`).join(', ');
    return {
      figures: `${size} sockets closed after at most: ${ends}; a good client's p99 ${p99Before.toFixed(1)} ms before, ${p99During.toFixed(1)} ms meanwhile (${during.length} calls)`,
      claims: [
        none(
          'sockets never closed',
          closed.filter(({ openMs }) => openMs === Number.POSITIVE_INFINITY).map(({ slowness }) => slowness),
        ),
        none('calls of the good client refused', refused),
        exactly('slow sockets open at once', peakOf(closed), size),
        none(
          'closed before half of their limit',
          closed.filter(({ slowness, openMs }) => openMs < limitMs(slowness) / 2),
        ),
        within('a slow socket is closed', Math.max(...closed.map(({ openMs }) => openMs)), CLOSED_WITHIN_MS),
        { ...within('p99 of a good client, at twice what it was before', p99During, 2 * p99Before) },
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
