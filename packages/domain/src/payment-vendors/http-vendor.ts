import {
  isJsonObject,
  type JsonObject,
  type PaymentInstructionDetails,
  type PaymentVendor,
  readInstructionDetails,
  VendorRejected,
} from '../shared/payment-vendor.ts';
import { askVendor, VENDOR_TIME_LIMIT_MS, type VendorConnection, vendorUnavailable } from './ask-vendor.ts';

/**
 * A vendor that speaks this plain protocol (behaviour 4.7):
 *
 *     GET {base_url}/payment-instructions/{reference, percent-encoded}?type=CARD
 *     Authorization: Bearer {secret}
 *
 *     200 {"reference": "pm_1", "type": "CARD", "status": "ACTIVE",
 *          "details": {"brand": "visa", "last4": "4242", "exp_month": 4, "exp_year": 2031, "funding": "debit", "country": "GB"}}
 *
 * `reference` is the requested one. `type` is the instruction's own; if it differs from the requested one, the
 * instruction is rejected. Any `status` but ACTIVE means that the instruction is unusable. `details` is optional, and
 * so is each of its fields (including `bank_name`); other fields are not stored. 404: there is no such instruction.
 */
export function httpVendor(connection: VendorConnection): PaymentVendor {
  const { name, baseUrl, secret, timeLimitMs = VENDOR_TIME_LIMIT_MS, traceHeaders } = connection;
  const headers = { accept: 'application/json', authorization: `Bearer ${secret}` };
  return {
    name,
    async fetchInstruction(reference, type) {
      const path = `payment-instructions/${pathSegment(name, reference)}?${new URLSearchParams({ type })}`;
      const url = `${baseUrl.replace(/\/+$/, '')}/${path}`;
      const answer = await askVendor({ vendor: name, url, headers, timeLimitMs, traceHeaders });
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

/** Always one path segment: a URL parser resolves `..`, and no encoding prevents that. */
function pathSegment(vendor: string, reference: string): string {
  if (['', '.', '..'].includes(reference) || !reference.isWellFormed()) {
    throw new VendorRejected(`${vendor} has no payment instruction with this reference.`, `${vendor}: not asked`);
  }
  return encodeURIComponent(reference);
}
