import { WireRefusal } from '../request/wire-refusal.ts';

/** Created once: at thousands of refusals a second, each stack would cost as much as its answer. */
export const TOO_BUSY = new WireRefusal(
  'service_unavailable',
  'The service has more to do than it can at the moment. Nothing was begun: try again.',
);
/** Likewise, for a party that holds more than its share in company. */
export const TOO_MUCH_IN_FLIGHT = new WireRefusal(
  'service_unavailable',
  'Your organisation has too much in flight: the rest of what the service can do is for others. Nothing was begun: ' +
    'wait for answers, and try again.',
);
