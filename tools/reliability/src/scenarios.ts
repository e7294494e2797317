import type { Scenario } from './scenario.ts';
import { besideThePrevious } from './scenarios/beside-the-previous.ts';
import { followModel } from './scenarios/follow-model.ts';
import { keepApart } from './scenarios/keep-apart.ts';
import { keepSecrets } from './scenarios/keep-secrets.ts';
import { keepTheLimitBesideBooks } from './scenarios/keep-the-limit-beside-books.ts';
import { KILL_THE_COMMANDS } from './scenarios/kill-the-commands.ts';
import { outlastReceivers } from './scenarios/outlast-receivers.ts';
import { outlastSlowSockets } from './scenarios/outlast-slow-sockets.ts';
import { outlastUploads } from './scenarios/outlast-uploads.ts';
import { refuseEarly } from './scenarios/refuse-early.ts';
import { refuseNonsense } from './scenarios/refuse-nonsense.ts';
import { runBuilt } from './scenarios/run-built.ts';
import { STAY_FAIR } from './scenarios/stay-fair.ts';
import { surviveCuts } from './scenarios/survive-cuts.ts';
import { surviveVendor } from './scenarios/survive-vendor.ts';
import { UNDER_FIRE } from './scenarios/under-fire.ts';

/** The rows of docs/figures/reliability.md, in order. Numbers are not given again. */
export const SCENARIOS: readonly Scenario[] = [
  ...UNDER_FIRE,
  followModel,
  surviveCuts,
  surviveVendor,
  refuseNonsense,
  refuseEarly,
  outlastSlowSockets,
  keepApart,
  keepSecrets,
  ...STAY_FAIR,
  runBuilt,
  besideThePrevious,
  keepTheLimitBesideBooks,
  outlastUploads,
  ...KILL_THE_COMMANDS,
  outlastReceivers,
].toSorted((one, other) => one.row - other.row);
