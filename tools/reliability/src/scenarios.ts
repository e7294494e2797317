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
import { killTheCommandLine } from './scenarios/kill-the-command-line.ts';
import { killTheUpload } from './scenarios/kill-the-upload.ts';
import { moveBooksWhileCrashed, moveBooksWhileKilled } from './scenarios/move-books-under-fire.ts';
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
import { outlastHangingVendor, outlastUnpacking, stayFair } from './scenarios/stay-fair.ts';
import { surviveCuts } from './scenarios/survive-cuts.ts';
import { shareServer, surviveDeadServer } from './scenarios/survive-dead-server.ts';
import { surviveFullDisk } from './scenarios/survive-full-disk.ts';
import { surviveCrashedDatabase, surviveKilledService } from './scenarios/survive-kills.ts';
import { survivePromotion } from './scenarios/survive-promotion.ts';
import { surviveReadOnly } from './scenarios/survive-read-only.ts';
import { surviveVendor } from './scenarios/survive-vendor.ts';
import { workBehindPgBouncer } from './scenarios/work-behind-pgbouncer.ts';
import { workOnEveryVersion } from './scenarios/work-on-every-version.ts';

/** The rows of docs/figures/reliability.md, in order. */
export const SCENARIOS: readonly Scenario[] = [
  createOnce,
  followModel,
  keepTheLimit,
  surviveKilledService,
  surviveCrashedDatabase,
  surviveCuts,
  surviveVendor,
  refuseNonsense,
  runForLong,
  refuseEarly,
  outlastSlowSockets,
  keepApart,
  keepSecrets,
  surviveDeadServer,
  shareServer,
  outlastHangingVendor,
  surviveFullDisk,
  surviveReadOnly,
  workBehindPgBouncer,
  stayFair,
  followLists,
  runBuilt,
  workOnEveryVersion,
  survivePromotion,
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
  killTheCommandLine,
  killTheUpload,
  checkOffline,
  readEventsWhileKilled,
  sendWebhooksWhileKilled,
  sendEmailsWhileKilled,
  sendBesideMany,
  outlastUnpacking,
  outlastTemplates,
  outlastReceivers,
];
