import type { VendorBehaviour } from '@causeway/testing';
import { knownInstruction } from './operations.ts';

const REJECTED = '400 payment_vendor_rejected';
const UNAVAILABLE = '500 payment_vendor_unavailable';

/** A fault of a vendor, and the answer that behaviour 4.7 specifies for it. */
export interface VendorFault {
  name: string;
  behave(reference: string, vendorUrl: string): VendorBehaviour;
  expected: string;
  /** The answer takes until the service's timeout. */
  waits?: boolean;
}

const good = (reference: string) => knownInstruction(reference).body;
const answering = (body: unknown) => (): VendorBehaviour => ({ kind: 'answer', body });

const PERMANENT = [300, 301, 302, 303, 304, 307, 308, 400, 402, 404, 405, 406, 409, 410, 411, 413, 415, 418, 422, 451];
const PASSING = [201, 202, 204, 206, 401, 403, 408, 425, 429, 500, 501, 502, 503, 504, 507, 599];

const status = (code: number, expected: string): VendorFault => ({
  name: `status ${code}`,
  // The redirect leads to the correct answer, for a client that follows it.
  behave: (reference, vendorUrl) => ({
    ...{ kind: 'answer', status: code, headers: { location: `${vendorUrl}/elsewhere/${reference}` } },
    ...(code === 204 || code === 304 ? { body: '' } : { body: good(reference) }),
  }),
  expected,
});

const malformed = (name: string, behave: VendorFault['behave']): VendorFault => ({
  name: `malformed: ${name}`,
  behave,
  expected: UNAVAILABLE,
});

/** All faults of a vendor's server with an intact connection. */
export const VENDOR_FAULTS: readonly VendorFault[] = [
  ...PERMANENT.map((code) => status(code, REJECTED)),
  ...PASSING.map((code) => status(code, UNAVAILABLE)),
  { name: 'reset', behave: () => ({ kind: 'reset' }), expected: UNAVAILABLE },
  { name: 'slow', behave: (reference) => ({ ...knownInstruction(reference), delayMs: 1_500 }), expected: '201' },
  { name: 'truncated', behave: (reference) => ({ kind: 'cut', body: good(reference) }), expected: UNAVAILABLE },
  { name: 'oversized', behave: () => ({ kind: 'flood' }), expected: UNAVAILABLE },
  { name: 'silent', behave: () => ({ kind: 'silence' }), expected: UNAVAILABLE, waits: true },
  {
    name: 'stalled',
    behave: (reference) => ({ kind: 'stall', body: good(reference) }),
    expected: UNAVAILABLE,
    waits: true,
  },
  { name: 'trickling', behave: () => ({ kind: 'trickle', intervalMs: 300 }), expected: UNAVAILABLE, waits: true },
  malformed('no JSON', answering('<html>busy</html>')),
  malformed('empty', answering('')),
  malformed('null', answering('null')),
  malformed('a list', answering([])),
  malformed('no fields', answering({})),
  malformed('half a character', (reference) => ({
    kind: 'answer',
    body: `{"reference":"${reference}","type":"\ud800"}`,
  })),
  malformed('another reference', () => ({ kind: 'answer', body: good('pm_other') })),
  malformed('details of the wrong type', (reference) => ({
    kind: 'answer',
    body: { ...good(reference), details: [1] },
  })),
  {
    name: 'unusable',
    behave: (reference) => ({ kind: 'answer', body: { ...good(reference), status: 'REVOKED' } }),
    expected: REJECTED,
  },
  {
    name: 'another type',
    behave: (reference) => ({ kind: 'answer', body: { ...good(reference), type: 'BANK' } }),
    expected: REJECTED,
  },
];
