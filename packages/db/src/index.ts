export { type Column, type Columns, narrow } from './columns.ts';
export type { DatabaseOptions } from './create-pool.ts';
export {
  isCheckViolation,
  isConnectionFailure,
  isForeignKeyViolation,
  isRolledBack,
  isServerUnable,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
} from './database-errors.ts';
export { databaseWithin } from './database-within.ts';
export { type DatabaseDescription, describeDatabase } from './describe-database.ts';
export type * from './generated/enums.ts';
export { splitHosts } from './hosts.ts';
export { migrate } from './migrations/migrate.ts';
export { countMigrations, pendingMigrations } from './migrations/pending-migrations.ts';
export type { BrokenConstraint } from './migrations/validate-constraints.ts';
export { notWritable } from './not-writable.ts';
export { type Database, openDatabase } from './open-database.ts';
export { type Pooling, requirePooling } from './pooler.ts';
export { type DatabaseRoles, type PreparedDatabase, prepareDatabase } from './prepare-database.ts';
export { createLoginRole, ensureServiceRole } from './roles/embedded-service-role.ts';
export type { Queryable, StatementObserver, StatementSharing } from './run-transaction.ts';
export { DEFAULT_LIMITS } from './session-settings.ts';
export {
  type Fragment,
  fragment,
  type RowOf,
  rawSql,
  type SqlStatement,
  selectList,
  sql,
  statementsMade,
} from './sql.ts';
