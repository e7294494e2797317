export { addOrganisation, addSupplier } from './add-supplier.ts';
export { fileOfProgram } from './bundled-programs.ts';
export {
  asService,
  createEmptyDatabase,
  createTestDatabase,
  type DatabaseWithPrisma,
  type TestDatabase,
} from './create-test-database.ts';
export { type FakeVendor, startFakeVendor, type VendorBehaviour } from './fake-vendor.ts';
export type { Direction, Fault } from './fault.ts';
export { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
export { faultsOfStatement } from './faults-of-statement.ts';
export { statementsOf } from './find-statements.ts';
export { OF_EVERY_PROCESS } from './keep-compiled.ts';
export { layCluster } from './lay-cluster.ts';
export { lodgeStored, putReconciliation } from './lodge-manifest.ts';
export { type Certificates, hasOpenssl, makeCertificates } from './make-certificates.ts';
export { drawArrivals, percentile } from './open-loop.ts';
export { drawPieces, type Piece, type PieceLimits, writePieces } from './pieces.ts';
export { createPostgresServer, type PostgresServer } from './postgres-server.ts';
export { putProgressSamples } from './put-progress-samples.ts';
export { createRandom, type Random, readSeed } from './random.ts';
export { REFUSED_ADDRESS, type SharedService } from './shared-service.ts';
export { canMountDisk, mountSmallDisk, type SmallDisk } from './small-disk.ts';
export { type CrashablePostgres, startCrashablePostgres } from './start-crashable-postgres.ts';
export { type Decide, type FaultyDoor, startFaultyDoor } from './start-faulty-door.ts';
export { type MailBehaviour, type MailServer, startMailServer, type TakenMail } from './start-mail-server.ts';
export { hasNginx, startNginx } from './start-nginx.ts';
export {
  hasPgBouncer,
  KEEP_STATEMENTS,
  LOSE_STATEMENTS,
  PGBOUNCER_VERSION,
  type PgBouncer,
  startPgBouncer,
} from './start-pgbouncer.ts';
export { SERVICE_PROGRAM, type ServiceProcess, startServiceProcess, TOKEN_SECRET } from './start-service-process.ts';
export { startTalker, type Talk, type Talker } from './start-talker.ts';
export { type ReceivedMessage, startWebhookReceiver, type WebhookReceiver } from './start-webhook-receiver.ts';
export { strikeAtRandom } from './strike-at-random.ts';
