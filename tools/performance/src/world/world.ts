import { readFileSync } from 'node:fs';
import { type Generator, startGenerator } from './generator.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { createSeed, type Seed } from './seed.ts';
import { PEER_PROGRAM, PEER_TABLES, REFERENCE_PROGRAM, SERVICE_PROGRAM, type System, startSystem } from './system.ts';

/** The measured system: one or more instances on their own database. */
export interface Target {
  name: string;
  instances: System[];
  database: string;
  databaseUrl: string;
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
  /** A further database with instances of the service; node options such as --cpu-prof are for the first one. */
  startTarget(name: string, options?: TargetOptions): Promise<Target>;
  token(): Promise<string>;
  stop(): Promise<void>;
}

/** A slow machine must not end a measurement: the rig measures when the service refuses. */
const NEVER_OVERLOADED = { MAX_EXPECTED_WAIT_MS: '60000', MAX_EVENT_LOOP_DELAY_MS: '60000' };

interface TargetOptions {
  instances?: number;
  nodeOptions?: string[];
  program?: string;
  /** In addition to those of every instance. */
  variables?: Record<string, string>;
  /** The database to copy instead of the seed; it must have no connections. */
  template?: string;
  /** A file of SQL that makes tables of its own, none of which is for audit events. */
  tables?: string;
  /** An existing target whose database these instances share. */
  database?: Target;
}

export async function startWorld(): Promise<World> {
  const postgres = await startPostgres();
  const generator = startGenerator();
  const systems: System[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      generator.stop();
      await Promise.all(systems.map((system) => system.stop()));
      await postgres.stop();
    })();
    return stopping;
  };

  async function startTarget(name: string, seed: Seed, options: TargetOptions): Promise<Target> {
    const { instances = 1, nodeOptions = [], program = SERVICE_PROGRAM, template = seed.database } = options;
    const database = options.database?.database ?? `bench_${name.replaceAll(/\W/g, '_')}`;
    if (options.database === undefined) await postgres.createDatabase(database, template);
    if (options.tables !== undefined) await postgres.query(database, readFileSync(options.tables, 'utf8'));
    const databaseUrl = postgres.urlOf(database);
    const own = { DATABASE_URL: databaseUrl, TOKEN_SECRET: seed.tokenSecret, STAFF_API_KEY: seed.staffApiKey };
    const variables = { ...own, ...NEVER_OVERLOADED, ...options.variables };
    const started: System[] = [];
    while (started.length < instances) {
      const system = await startSystem({ name, program, variables, nodeOptions });
      started.push(system);
      systems.push(system);
    }
    const ledger =
      options.database?.ledger ?? createLedger(database, databaseUrl, { isAudited: options.tables === undefined });
    return { name, instances: started, database, databaseUrl, ledger };
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
      token: () => seed.token(service.instances[0]?.url ?? ''),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
