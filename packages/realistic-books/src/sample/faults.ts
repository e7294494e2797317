import type { AccountPayload, Customer, ErrorCode, FieldCode, Meter, MeterPoint } from '@causeway/contracts';
import { addDays } from './calendar.ts';

/** What is wrong with one account of the book, and the stable code the service refuses it with (behaviour 7.3). */
export interface Fault {
  code: ErrorCode | FieldCode;
  spoil?: Spoil;
  /** The service team skips it. */
  skipReason?: string;
}

type Spoil = (payload: AccountPayload) => object;

/** Faults of payloads by position in the book, counting from 0; some come early, so that a small book has them too. */
const SPOILT: readonly [position: number, code: FieldCode, spoil: Spoil][] = [
  [3, 'invalid_phone_number', spoilCustomer((customer) => ({ ...customer, landline: '0113 496 01234' }))],
  [27, 'meter_with_duplicate_register_ids', spoilMeter(repeatRegister)],
  [48, 'customer_name_not_found', spoilCustomer(({ given_name, family_name, ...rest }) => rest)],
  [66, 'billing_address_new_style_and_legacy', addBothAddresses],
  [85, 'date_in_future', spoilCustomer((customer) => ({ ...customer, date_of_birth: '2167-05-30' }))],
  [109, 'invalid_postcode', (payload) => ({ ...payload, billing_postcode: 'LS6 4QP?' })],
  [127, 'customer_with_unknown_occupier', (payload) => ({ ...payload, unknown_occupier: true })],
  [146, 'reading_register_id_not_recognised', spoilMeter(nameAnotherRegister)],
  [168, 'start_date_later_than_end_date', spoilMeterPoint(turnAgreementRound)],
  [187, 'invalid_email', spoilCustomer((customer) => ({ ...customer, email: 'owner@@example.com' }))],
];

const SKIPPED = {
  code: 'account_import_process_skipped',
  skipReason: 'Stays with Harbour & Vale: supply under dispute',
} as const;

export const FAULTS: ReadonlyMap<number, Fault> = new Map<number, Fault>([
  [5, SKIPPED],
  ...SPOILT.map(([position, code, spoil]) => [position, { code, spoil }] as const),
]);

/** How the reference of an instruction begins, and the code it is refused with. */
export interface VendorFailure {
  prefix: string;
  code: ErrorCode;
}

/** Payment instructions that the sandbox vendor does not know, or cannot be reached about (behaviour 4.7). */
export const VENDOR_FAILURES: ReadonlyMap<number, VendorFailure> = new Map([
  [6, { prefix: 'pm_missing', code: 'payment_vendor_rejected' }],
  [10, { prefix: 'pm_500', code: 'payment_vendor_unavailable' }],
  [74, { prefix: 'pm_missing', code: 'payment_vendor_rejected' }],
  [158, { prefix: 'pm_missing', code: 'payment_vendor_rejected' }],
]);

function spoilCustomer(spoil: (customer: Customer) => object) {
  return (payload: AccountPayload) => {
    const [first, ...rest] = payload.customers ?? [];
    return { ...payload, customers: first ? [spoil(first), ...rest] : [] };
  };
}

function spoilMeterPoint(spoil: (meterPoint: MeterPoint) => object) {
  return (payload: AccountPayload) => ({
    ...payload,
    supply_addresses: payload.supply_addresses?.map((address) => ({
      ...address,
      meter_points: address.meter_points?.slice(0, 1).map(spoil),
    })),
  });
}

function spoilMeter(spoil: (meter: Meter) => object) {
  return spoilMeterPoint((meterPoint) => ({ ...meterPoint, meters: meterPoint.meters?.map(spoil) }));
}

function repeatRegister(meter: Meter) {
  const registers = meter.registers ?? [];
  return { ...meter, registers: [...registers, ...registers.slice(0, 1)] };
}

function nameAnotherRegister(meter: Meter) {
  const [first, ...rest] = meter.transfer_readings ?? [];
  return { ...meter, transfer_readings: [{ ...first, register_id: '9' }, ...rest] };
}

function turnAgreementRound(meterPoint: MeterPoint) {
  const [first, ...rest] = meterPoint.agreements ?? [];
  if (!first) return meterPoint;
  return { ...meterPoint, agreements: [{ ...first, effective_to: addDays(first.effective_from, -30) }, ...rest] };
}

function addBothAddresses(payload: AccountPayload) {
  const { billing_address1 = '1 Mill Hill', billing_postcode } = payload;
  const billing_address = { country: 'GB', street_address: billing_address1, postal_code: billing_postcode };
  return { ...payload, billing_address1, billing_address };
}
