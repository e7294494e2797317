import type { CausewayClient } from '@causeway/client';
import type { Random } from '@causeway/testing';
import type { Supplier } from '../rig/start-world.ts';

/** Where the calls of a sequence go. */
export interface Real {
  url: string;
  staff: CausewayClient;
  /** Of each organisation. */
  clients: readonly [CausewayClient, CausewayClient];
  suppliers: readonly [Supplier, Supplier];
  /** Draws how the bodies are sent. */
  travel: Random;
}

/** The answer, reduced to the parts of a prediction. */
export interface Observation {
  answer: string;
  shows: unknown;
  serviceAccountNumber?: string;
}
