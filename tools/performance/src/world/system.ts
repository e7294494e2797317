import path from 'node:path';
import { type ServiceProcess, startServiceProcess } from '@causeway/testing';

export interface SystemOptions {
  program: string;
  variables: Record<string, string>;
  /** Options of node itself. */
  nodeOptions?: string[];
}

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
export const SERVICE_PROGRAM = path.join(REPOSITORY, 'apps/api/src/main.ts');
/** Present after `pnpm build`. */
export const BUILT_PROGRAM = path.join(REPOSITORY, 'dist/main.js');
export const REFERENCE_PROGRAM = path.join(REPOSITORY, 'tools/performance/reference/server.ts');
export const PEER_PROGRAM = path.join(REPOSITORY, 'tools/performance/peer/server.ts');
export const PEER_TABLES = path.join(REPOSITORY, 'tools/performance/peer/schema.sql');

/** As in production: what tests keep of compiled modules must not count. */
const IN_PRODUCTION = { NODE_ENV: 'production', LOG_LEVEL: 'info', NODE_DISABLE_COMPILE_CACHE: '1' };

/** Starts a server as its own process on a free port. Its log goes to /dev/null, at `info`. */
export function startSystem({ program, variables, nodeOptions = [] }: SystemOptions): Promise<ServiceProcess> {
  const command = [process.execPath, ...nodeOptions, program];
  return startServiceProcess({ ...IN_PRODUCTION, ...variables }, { dropLog: true, program: command });
}
