import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { serviceWithLanes } from './service-with-lanes.ts';
import type { TestSupplier } from './test-service.ts';

const CLONE = path.resolve(import.meta.dirname, '../../../..');
const GUIDE = path.join(CLONE, 'apps/api/src/openapi/guide.md');

/** Somebody who pastes the samples of the guide, with a service, an import supplier and an empty folder of their own. */
export interface GuideReader {
  supplier: TestSupplier;
  folder: string;
  /** What a script writes; rejects with it if the script ends with an error. */
  run(script: string): Promise<{ stdout: string; stderr: string }>;
}

/** It leaves after the tests of the file. */
export async function startGuideReader(): Promise<GuideReader> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-guide-'));
  afterAll(() => rm(folder, { recursive: true }));
  const service = await serviceWithLanes();
  const supplier = await service.createSupplier({ code: 'NORTHWIND-2026' });
  await service.staff.operationsTeams.create.mutate({ name: 'Migration support' });
  return {
    supplier,
    folder,
    run(script) {
      const env = {
        ...process.env,
        ...{ BASE_URL: service.url, TOKEN: supplier.token, CLONE },
        // Where the command line would ask for it, and keep it.
        ...{ CAUSEWAY_API_KEY: supplier.apiKey, HOME: folder },
        PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
      };
      return promisify(execFile)('bash', ['-eu', '-c', script], { cwd: folder, env });
    },
  };
}

/** The samples of a chapter of the guide, one after the other. */
export async function samplesOf(chapter: string): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [text = ''] = (guide.split(`\n## ${chapter}\n`)[1] ?? '').split(/^## /m);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, sample]) => sample).join('\n');
}
