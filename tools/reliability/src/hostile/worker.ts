import { parentPort, workerData } from 'node:worker_threads';
import type { Met } from './hammer.ts';
import { HOSTILE_LOADS, type HostileLoadName, type HostileSite } from './loads.ts';

// A separate thread: the hostile client's work must not delay the good client's clock.
const { name, site } = workerData as { name: HostileLoadName; site: HostileSite };
const met: Met = { statuses: {}, hanging: 0, open: 0 };
const load = HOSTILE_LOADS[name].begin(site, met);
parentPort?.on('message', () => parentPort?.postMessage(met));
parentPort?.postMessage('begun');
await load;
