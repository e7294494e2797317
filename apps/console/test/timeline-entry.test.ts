import { expect, test } from 'vitest';
import { type Entry, toldOnce, whatOf, whoOf } from '../src/pages/account/timeline-entry.ts';

const at = '2026-11-24T07:28:52Z';
const event = (action: string, request_id: string): Entry => ({
  ...{ position: `${action} ${request_id}`, at },
  event: {
    ...{ id: '1', action, actor: 'supplier', api_key_id: null, person: null, request_id, caller_request_id: null },
    ...{ detail: { code: 'payment_vendor_rejected' }, occurred_at: at },
  },
});
const refusal: Entry = {
  ...{ position: 'refusal', at },
  refusal: {
    ...{
      operation: 'payment_instruction',
      refused: true,
      code: 'payment_vendor_rejected',
      request_id: 'r-2',
      times: 2,
    },
    detail: {},
    errors: [{ attr: 'reference', code: 'payment_vendor_rejected' }],
    ...{ first_seen_at: at, last_seen_at: at, resolved_at: null },
  },
};

test('26.8.2 a refusal that stands in the audit trail too is told once, with who did it', () => {
  const [earlier, same] = [event('payment_instruction_refused', 'r-1'), event('payment_instruction_refused', 'r-2')];
  const other = event('processed', 'r-2');
  const told = toldOnce([earlier, other, same, refusal]);
  expect(told.map(({ position }) => position)).toEqual([earlier.position, other.position, 'refusal']);
  const [last] = told.slice(-1) as [Entry];
  expect(whoOf(last)).toBe('supplier');
  expect(whatOf(last)).toMatchObject({
    title: 'Payment instruction refused: payment vendor rejected',
    detail: '2 times, field reference',
    isOpen: true,
  });
  expect(toldOnce([refusal]).map(whoOf)).toEqual(['a single call']);
});
