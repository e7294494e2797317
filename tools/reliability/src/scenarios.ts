import type { Scenario } from './scenario.ts';
import { besideThePrevious } from './scenarios/beside-the-previous.ts';
import { checkOffline } from './scenarios/check-offline.ts';
import { createOnce } from './scenarios/create-once.ts';
import { sendWebhooksWhileKilled } from './scenarios/deliver-webhooks.ts';
import { readEventsWhileKilled } from './scenarios/follow-events.ts';
import { followLists } from './scenarios/follow-lists.ts';
import { followModel } from './scenarios/follow-model.ts';
import { keepApart } from './scenarios/keep-apart.ts';
import { keepSecrets } from './scenarios/keep-secrets.ts';
import { keepTheLimit } from './scenarios/keep-the-limit.ts';
import { keepTheLimitBesideBooks } from './scenarios/keep-the-limit-beside-books.ts';
import { KILL_THE_COMMANDS } from './scenarios/kill-the-commands.ts';
import { moveBooksWhileCrashed, moveBooksWhileKilled } from './scenarios/move-books-under-fire.ts';
import { MOVE_UNDER_FIRE, shareServer } from './scenarios/move-under-fire.ts';
import { outlastSlowSockets } from './scenarios/outlast-slow-sockets.ts';
import { outlastReceivers, outlastTemplates } from './scenarios/outlast-strangers.ts';
import { outlastUploads } from './scenarios/outlast-uploads.ts';
import { findPennies, reconcileBesideWriters, reconcileWhileKilled } from './scenarios/reconcile-under-fire.ts';
import { refuseEarly } from './scenarios/refuse-early.ts';
import { refuseNonsense } from './scenarios/refuse-nonsense.ts';
import { rehearseThenMove } from './scenarios/rehearse-then-move.ts';
import { restoreToATime } from './scenarios/restore-to-a-time.ts';
import { runBuilt } from './scenarios/run-built.ts';
import { runForLong } from './scenarios/run-for-long.ts';
import { sendBesideMany } from './scenarios/send-beside-many.ts';
import { sendEmailsWhileKilled } from './scenarios/send-customer-emails.ts';
import { STAY_FAIR } from './scenarios/stay-fair.ts';
import { surviveCuts } from './scenarios/survive-cuts.ts';
import { surviveVendor } from './scenarios/survive-vendor.ts';
import { workBehindPgBouncer } from './scenarios/work-behind-pgbouncer.ts';
import { workOnEveryVersion } from './scenarios/work-on-every-version.ts';

/** The rows of docs/figures/reliability.md, in order. */
export const SCENARIOS: readonly Scenario[] = [
  ...MOVE_UNDER_FIRE,
  createOnce,
  followModel,
  keepTheLimit,
  surviveCuts,
  surviveVendor,
  refuseNonsense,
  runForLong,
  refuseEarly,
  outlastSlowSockets,
  keepApart,
  keepSecrets,
  shareServer,
  workBehindPgBouncer,
  ...STAY_FAIR,
  followLists,
  runBuilt,
  workOnEveryVersion,
  restoreToATime,
  besideThePrevious,
  moveBooksWhileKilled,
  moveBooksWhileCrashed,
  rehearseThenMove,
  keepTheLimitBesideBooks,
  outlastUploads,
  findPennies,
  reconcileWhileKilled,
  reconcileBesideWriters,
  ...KILL_THE_COMMANDS,
  checkOffline,
  readEventsWhileKilled,
  sendWebhooksWhileKilled,
  sendEmailsWhileKilled,
  sendBesideMany,
  outlastTemplates,
  outlastReceivers,
].toSorted((one, other) => one.row - other.row);
