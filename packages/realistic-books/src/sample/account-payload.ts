import type { AccountPayload, Customer, SupplyAddress } from '@causeway/contracts';
import { numberedLines, type PostalAddress, sampleAddress, sampleNeighbour } from './addresses.ts';
import { addDays } from './calendar.ts';
import { decimalOf, poundsOf } from './money.ts';
import { BUSINESS_NAMES, LANDLORD_NAMES } from './names.ts';
import { mailboxOf, sampleCustomer } from './people.ts';
import type { Random } from './random.ts';
import { type Occupation, sampleSupplyAddress } from './supply.ts';

export type AccountKind = 'DOMESTIC' | 'BUSINESS' | 'LANDLORD' | 'UNKNOWN_OCCUPIER';

/** How an account pays; `monthlyPence` is 0 where the customer pays by hand. */
export interface PaymentPlan {
  means: 'DD' | 'CARD' | 'MANUAL' | 'PAYMENT_SLIP';
  monthlyPence: number;
}

/** What is known of an account before its details are drawn. */
export interface AccountOutline {
  importSupplier: string;
  externalAccountNumber: string;
  bookDate: string;
  kind: AccountKind;
  occupation: Occupation;
  plan: PaymentPlan;
}

/** The account payload (behaviour 2.10) of an account without a fault. */
export function sampleAccountPayload(random: Random, outline: AccountOutline): AccountPayload {
  const { importSupplier, externalAccountNumber, kind, occupation } = outline;
  const address = sampleAddress(random);
  const customers = sampleCustomers(random, outline, address);
  const speaksWelsh = address.town.electricityNetwork === '21' && random.chance(0.4);
  return {
    import_supplier: importSupplier,
    external_account_number: externalAccountNumber,
    account_type: sampleAccountType(random, kind),
    ...(kind === 'UNKNOWN_OCCUPIER' ? { unknown_occupier: true } : { customers }),
    date_of_sale: addDays(occupation.movedInOn, -random.between(1, 30)),
    sales_channel: random.pick(['DIRECT', 'PRICE_COMPARISON', 'MOVE_IN', 'FIELD_SALES']),
    language_preference: speaksWelsh ? 'cy' : 'en-GB',
    communication_preference: random.chance(0.78) ? 'ONLINE' : 'PRINT',
    ...(random.chance(0.04) && { document_accessibility: random.pick(['LARGE_PRINT', 'BRAILLE', 'SPOKEN'] as const) }),
    references: [{ namespace: 'legacy-billing', value: `HVB${random.digits(9)}` }],
    ...(random.chance(0.2) && { metadata: [{ key: 'cohort', value: random.pick(['wave-1', 'wave-2']) }] }),
    ...sampleBilling(random, kind, { address, customers }),
    transfer_balance: decimalOf(random.chance(0.2) ? 0 : random.between(-48_000, 32_000)),
    last_billed_to_date: occupation.lastBilledTo,
    supply_addresses: sampleSupplyAddresses(random, outline, address),
    payment_schedules: [samplePaymentSchedule(random, outline)],
  };
}

function sampleAccountType(random: Random, kind: AccountKind) {
  if (kind === 'BUSINESS') return 'BUSINESS';
  return kind === 'LANDLORD' ? random.pick(['MANAGED', 'PORTFOLIO_LEAD'] as const) : 'DOMESTIC';
}

function sampleCustomers(random: Random, outline: AccountOutline, { town }: PostalAddress): Customer[] {
  const { externalAccountNumber, bookDate, kind } = outline;
  const count = kind === 'DOMESTIC' && random.chance(0.28) ? 2 : 1;
  return Array.from({ length: count }, (_, position) =>
    sampleCustomer(random, { externalAccountNumber, town, bookDate }, position),
  );
}

function sampleBilling(random: Random, kind: AccountKind, account: { address: PostalAddress; customers: Customer[] }) {
  const { address, customers } = account;
  const { lines, postcode, town } = address;
  const asOneAddress = {
    billing_address: {
      country: 'GB',
      street_address: lines.slice(0, lines.indexOf(town.name)).join('\n'),
      locality: town.name,
      postal_code: postcode,
    },
  };
  const asLines = { ...numberedLines('billing_address', address), billing_postcode: postcode };
  return {
    ...sampleBillingName(random, kind, customers),
    ...(random.chance(0.25) ? asOneAddress : asLines),
  };
}

function sampleBillingName(random: Random, kind: AccountKind, customers: Customer[]) {
  if (kind === 'UNKNOWN_OCCUPIER') return { billing_name: 'The Occupier' };
  if (kind === 'DOMESTIC') {
    const billing_name = customers.map(({ title, given_name, family_name }) => `${title} ${given_name} ${family_name}`);
    return { billing_name: billing_name.join(' & ') };
  }
  const billing_name = random.pick(kind === 'BUSINESS' ? BUSINESS_NAMES : LANDLORD_NAMES);
  return { billing_name, billing_email: `accounts@${mailboxOf(billing_name)}.example.com` };
}

function sampleSupplyAddresses(random: Random, outline: AccountOutline, address: PostalAddress): SupplyAddress[] {
  const isLandlord = outline.kind === 'LANDLORD';
  const occupation = { ...outline.occupation, isLandlord };
  const others = isLandlord ? random.between(1, 3) : 0;
  const addresses = [address, ...Array.from({ length: others }, () => sampleNeighbour(random, address))];
  return addresses.map((one) => sampleSupplyAddress(random, one, occupation));
}

function samplePaymentSchedule(random: Random, { plan, occupation }: AccountOutline) {
  const start_date = addDays(occupation.movedInOn, random.between(5, 35));
  if (plan.monthlyPence === 0) return { means: plan.means, start_date };
  return {
    means: plan.means,
    start_date,
    frequency: 'MONTHLY',
    day_of_month: random.between(1, 28),
    amount: poundsOf(plan.monthlyPence),
  };
}
