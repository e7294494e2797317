import { setTimeout as delay } from 'node:timers/promises';
import { unknownVendor } from '@causeway/rules';
import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';
import type { PaymentVendor } from '../shared/payment-vendor.ts';

/** Calls to one vendor that one organisation may have in flight in one instance. */
const MAX_CALLS = 100;
/** An immediate refusal would be retried immediately. */
const REFUSED_AFTER_MS = 1_000;

const callsOf = new WeakMap<PaymentVendor, Map<string, number>>();

/**
 * Calls a vendor on behalf of the caller, within the limit of its organisation: a vendor that is slow for one does not
 * affect the others. Waiting for a vendor does not count as work of this instance. Refuses with `service_unavailable`
 * if the organisation is at its limit, and still is one second later.
 */
export async function askInTurn<T>(context: Context, vendor: PaymentVendor, ask: () => Promise<T>): Promise<T> {
  const { actor, waitOutside = (wait) => wait() } = context;
  const party = actor.kind === 'organisation' ? actor.organisationId : 'staff';
  const calls = callsOf.get(vendor) ?? new Map<string, number>();
  callsOf.set(vendor, calls);
  const inFlight = () => calls.get(party) ?? 0;
  if (inFlight() >= MAX_CALLS) await waitOutside(() => delay(REFUSED_AFTER_MS));
  if (inFlight() >= MAX_CALLS) {
    throw new DomainError(
      'service_unavailable',
      `Your organisation has ${MAX_CALLS} calls to ${vendor.name} in flight, the most that it may have. Try again later.`,
    );
  }
  calls.set(party, inFlight() + 1);
  try {
    return await waitOutside(ask);
  } finally {
    const others = inFlight() - 1;
    others === 0 ? calls.delete(party) : calls.set(party, others);
  }
}

/** The vendor of this name; refuses with the field `attr` if none is configured. */
export function configuredVendor({ paymentVendors }: Context, name: string, attr = 'vendor'): PaymentVendor {
  const vendor = paymentVendors.get(name);
  if (vendor === undefined) {
    throw new DomainError('request_failed_validation', 'The request failed validation.', {
      errors: [unknownVendor(attr)],
    });
  }
  return vendor;
}
