import { readFileSync } from 'node:fs';
import type { ServiceProcess } from '@causeway/testing';
import { type Generator, startGenerator } from './generator.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { createSeed, type Seed } from './seed.ts';
import { PEER_PROGRAM, PEER_TABLES, REFERENCE_PROGRAM, SERVICE_PROGRAM, startSystem } from './system.ts';

/** A measured system with its database. */
export interface Target {
  name: string;
  system: ServiceProcess;
  database: string;
  ledger: Ledger;
}

/** Everything that runs while the bench measures; `stop` ends all of it. */
export interface World {
  postgres: Postgres;
  generator: Generator;
  seed: Seed;
  service: Target;
  reference: Target;
  peer: Target;
  /** A further instance of the service, on a database of its own unless it shares one. */
  startTarget(name: string, options?: TargetOptions): Promise<Target>;
  token(): Promise<string>;
  stop(): Promise<void>;
}

/** A slow machine must not end a measurement: the rig measures when the service refuses. */
const NEVER_OVERLOADED = { MAX_EXPECTED_WAIT_MS: '60000', MAX_EVENT_LOOP_DELAY_MS: '60000' };

interface TargetOptions {
  nodeOptions?: string[];
  program?: string;
  /** In addition to those of every system. */
  variables?: Record<string, string>;
  /** A file of SQL that makes tables of its own, none of which is for audit events. */
  tables?: string;
  /** An existing target whose database it shares. */
  database?: Target;
}

export async function startWorld(): Promise<World> {
  const postgres = await startPostgres();
  const generator = startGenerator();
  const systems: ServiceProcess[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      generator.stop();
      await Promise.all(systems.map((system) => system.terminate()));
      await postgres.stop();
    })();
    return stopping;
  };

  async function startTarget(name: string, seed: Seed, options: TargetOptions): Promise<Target> {
    const { nodeOptions = [], program = SERVICE_PROGRAM } = options;
    const database = options.database?.database ?? `bench_${name.replaceAll(/\W/g, '_')}`;
    if (options.database === undefined) await postgres.createDatabase(database, seed.database);
    if (options.tables !== undefined) await postgres.query(database, readFileSync(options.tables, 'utf8'));
    const databaseUrl = postgres.urlOf(database);
    const own = { DATABASE_URL: databaseUrl, TOKEN_SECRET: seed.tokenSecret, STAFF_API_KEY: seed.staffApiKey };
    const variables = { ...own, ...NEVER_OVERLOADED, ...options.variables };
    const system = await startSystem({ program, variables, nodeOptions });
    systems.push(system);
    const ledger =
      options.database?.ledger ?? createLedger(database, databaseUrl, { isAudited: options.tables === undefined });
    return { name, system, database, ledger };
  }

  try {
    const seed = await createSeed(postgres);
    const service = await startTarget('service', seed, {});
    const reference = await startTarget('reference', seed, { program: REFERENCE_PROGRAM });
    const peer = await startTarget('peer', seed, { program: PEER_PROGRAM, tables: PEER_TABLES });
    return {
      postgres,
      generator,
      seed,
      service,
      reference,
      peer,
      startTarget: (name, options = {}) => startTarget(name, seed, options),
      token: () => seed.token(service.system.url),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
