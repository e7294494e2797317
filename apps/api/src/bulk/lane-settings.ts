import type { Environment } from '../env.ts';

/**
 * Each lane of bulk jobs has one connection at most, and planning and the states of jobs have two; so have e-mails. The lanes
 * that send webhooks need one only before and after they send: they share two.
 */
export const lanePoolSize = ({ bulk, emails, webhooks }: Environment): number =>
  (bulk.lanes === 0 ? 0 : bulk.lanes + 2) + (emails === undefined ? 0 : 2) + Math.min(webhooks.lanes, 2);

/** The lanes that share a thread: those that talk to strangers keep no bulk job waiting, whatever these do. */
export type LaneKind = 'bulk' | 'sending';
export const LANE_KINDS: readonly LaneKind[] = ['bulk', 'sending'];

/** The settings for lanes of one kind: they have none of the others. Who leaves bulk jobs to others leaves e-mails to them. */
export function settingsOfLanes(environment: Environment, kind: LaneKind): Environment {
  const { bulk, emails, webhooks } = environment;
  if (kind === 'bulk') return { ...environment, emails: undefined, webhooks: { ...webhooks, lanes: 0 } };
  return { ...environment, bulk: { ...bulk, lanes: 0 }, emails: bulk.lanes === 0 ? undefined : emails };
}
