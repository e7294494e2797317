export { readPassword } from './create-cluster.ts';
export { makeDataDirectory } from './data-directory.ts';
export type { ServerWatch } from './keep-server.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
