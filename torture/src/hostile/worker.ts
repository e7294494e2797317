import { parentPort, workerData } from 'node:worker_threads';
import { HOSTILE_LOADS, type HostileLoadName, type HostileSite } from './loads.ts';

// A thread of its own: what a hostile client has to do must not keep the good one's clock from being read.
const { name, site } = workerData as { name: HostileLoadName; site: HostileSite };
const load = HOSTILE_LOADS[name](site);
parentPort?.postMessage('begun');
await load;
