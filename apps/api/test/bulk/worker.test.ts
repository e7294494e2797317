import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileOfProgram, OF_EVERY_PROCESS, TOKEN_SECRET } from '@causeway/testing';
import { expect, onTestFinished, test } from 'vitest';
import { serviceOfFile, until } from '../support/test-service.ts';
import { createJob, ndjson, putPart, readJob } from './bulk-calls.ts';

const service = await serviceOfFile({ BULK_LANES: '0' });

const PROGRAM = fileOfProgram('apps/api/src/worker/main.ts');

/** Starts a worker on the service's database; its log, and its exit code after SIGTERM. */
function startWorker() {
  const settings = { DATABASE_URL: service.databaseUrl, TOKEN_SECRET, METRICS_PORT: '0', METRICS_HOST: '127.0.0.1' };
  const env = { ...OF_EVERY_PROCESS, ...settings };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const log: Record<string, unknown>[] = [];
  createInterface(child.stdout).on('line', (line) => log.push(JSON.parse(line)));
  return {
    log,
    hasExited: () => child.exitCode !== null,
    async terminate() {
      child.kill('SIGTERM');
      return (await once(child, 'close'))[0];
    },
  };
}

test('21.11.3 a worker moves what an instance without lanes has taken, shows its metrics, and stops when it is told', async () => {
  const supplier = await service.createSupplier();
  const id = await createJob(supplier);
  const account = { import_supplier: supplier.code, external_account_number: 'HV-1', unknown_occupier: true };
  await putPart(supplier, { id }, ndjson([{ account }]));
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  const worker = startWorker();
  await until(async () => worker.hasExited() || (await readJob(supplier, id)).state === 'FINISHED');
  const listening = () => worker.log.find(({ msg }) => msg === 'metrics_listening');
  await until(() => worker.hasExited() || listening() !== undefined);
  const { port } = listening() ?? {};
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('causeway_bulk_lines_total{run_mode="REAL",outcome="created"} 1');
  expect(metrics).toContain('process_cpu_seconds_total');
  expect(await worker.terminate()).toBe(0);
  expect(worker.log.at(-1)).toMatchObject({ msg: 'worker_stopped', reason: 'SIGTERM' });
});
