import { askVendor, VENDOR_TIME_LIMIT_MS, type VendorConnection, vendorUnavailable } from './ask-vendor.ts';
import { type PaymentInstructionDetails, type PaymentVendor, VendorRejected } from './payment-vendor.ts';
import { isJsonObject, type JsonObject, readInstructionDetails } from './read-instruction-details.ts';

/**
 * A vendor that speaks this plain protocol (behaviour 4.7):
 *
 *     GET {base_url}/payment-instructions/{reference, percent-encoded}?type=CARD
 *     Authorization: Bearer {secret}
 *
 *     200 {"reference": "pm_1", "type": "CARD", "status": "ACTIVE",
 *          "details": {"brand": "visa", "last4": "4242", "exp_month": 4, "exp_year": 2031, "funding": "debit", "country": "GB"}}
 *
 * `reference` is the one asked for. `type` is the instruction's own; another than the one asked for is rejected. Any
 * `status` but ACTIVE means that the instruction cannot be used. `details` is optional, and so is each of its
 * fields (`bank_name` too); others are not stored. 404: there is no such instruction.
 */
export function httpVendor(connection: VendorConnection): PaymentVendor {
  const { name, baseUrl, secret, timeLimitMs = VENDOR_TIME_LIMIT_MS } = connection;
  const headers = { accept: 'application/json', authorization: `Bearer ${secret}` };
  return {
    name,
    async fetchInstruction(reference, type) {
      const path = `payment-instructions/${pathSegment(name, reference)}?${new URLSearchParams({ type })}`;
      const url = `${baseUrl.replace(/\/+$/, '')}/${path}`;
      const answer = await askVendor({ vendor: name, url, headers, timeLimitMs });
      return detailsOf({ vendor: name, reference, type, answer });
    },
  };
}

interface Exchange {
  vendor: string;
  reference: string;
  type: string;
  answer: JsonObject;
}

function detailsOf({ vendor, reference, type, answer }: Exchange): PaymentInstructionDetails {
  if (answer.reference !== reference) throw vendorUnavailable(vendor, 'answer about another reference');
  if (typeof answer.type !== 'string' || typeof answer.status !== 'string') {
    throw vendorUnavailable(vendor, 'answer without type or status');
  }
  if (answer.type !== type) {
    throw new VendorRejected(
      `${vendor} has a payment instruction of another type with this reference.`,
      `${vendor}: another type`,
      'type',
    );
  }
  if (answer.status !== 'ACTIVE') {
    throw new VendorRejected(`${vendor} reports this payment instruction as unusable.`, `${vendor}: not ACTIVE`);
  }
  const description = answer.details ?? {};
  const details = isJsonObject(description) ? readInstructionDetails(description) : undefined;
  if (details === undefined) throw vendorUnavailable(vendor, 'answer with malformed details');
  return details;
}

/** One segment of a path, whatever the reference: a URL parser would walk up at `..`, which no encoding prevents. */
function pathSegment(vendor: string, reference: string): string {
  if (['', '.', '..'].includes(reference) || !reference.isWellFormed()) {
    throw new VendorRejected(`${vendor} has no payment instruction with this reference.`, `${vendor}: not asked`);
  }
  return encodeURIComponent(reference);
}
