export { makeDataDirectory } from './data-directory.ts';
export { keepSecret } from './keep-secret.ts';
export type { ServerWatch } from './keep-server.ts';
export { callProgram, type ServerProgram, serverUser } from './server-program.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
