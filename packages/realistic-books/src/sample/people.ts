import type { Customer } from '@causeway/contracts';
import { addDays } from './calendar.ts';
import { NAME_ORIGINS } from './names.ts';
import type { Town } from './places.ts';
import type { Random } from './random.ts';

/** What the people of one account share. */
export interface Household {
  externalAccountNumber: string;
  town: Town;
  bookDate: string;
}

const PRIORITY_SERVICES = ['01', '12', '14', '22', '26', '29'];
const CONSENTS = ['MARKETING_EMAIL', 'MARKETING_POST', 'SMART_METER_HALF_HOURLY_READINGS', 'CREDIT_CHECK'];

/**
 * One customer of an account, `position` counting from 0. Numbers and addresses are of the kinds kept free for
 * examples.
 */
export function sampleCustomer(random: Random, household: Household, position: number): Customer {
  const person = samplePerson(random);
  const born = addDays(household.bookDate, -random.between(19 * 365, 94 * 365));
  const address = `${mailboxOf(person.given_name)}.${mailboxOf(person.family_name)}`;
  return {
    ...person,
    date_of_birth: born,
    user_identifier: `${household.externalAccountNumber}-${position + 1}`,
    ...(random.chance(0.88) && {
      email: `${address}${random.digits(2)}@${random.pick(['example.com', 'example.org'])}`,
    }),
    ...(random.chance(0.9) && { mobile: sampleMobile(random) }),
    ...(random.chance(0.45) && { landline: sampleLandline(random, household.town) }),
    ...(random.chance(0.06) && { alternative_phone_numbers: [sampleMobile(random)] }),
    ...(random.chance(0.12) && { salutation: person.given_name }),
    ...(random.chance(0.5) && { consents: sampleConsents(random, household.bookDate) }),
    ...(random.chance(0.3) && { customer_preferences: samplePreferences(random) }),
    ...(random.chance(0.14) && { psr: samplePriorityServices(random, household.bookDate) }),
  };
}

function samplePerson(random: Random) {
  const origin = random.pick(NAME_ORIGINS);
  const family_name = random.pick(origin.families);
  if (random.chance(0.03))
    return { title: 'Mx', given_name: random.pick(origin.men), family_name, pronouns: 'they/them' };
  const isWoman = random.chance(0.5);
  const usual = isWoman ? random.pick(['Mrs', 'Mrs', 'Ms', 'Ms', 'Ms', 'Miss']) : 'Mr';
  const title = random.chance(0.07) ? random.pick(['Dr', 'Dr', 'Prof', 'Rev']) : usual;
  return { title, given_name: random.pick(isWoman ? origin.women : origin.men), family_name };
}

/** A mobile number of the range 07700 900, which reaches nobody. */
function sampleMobile(random: Random): string {
  return `${random.chance(0.3) ? '+44 7700' : '07700'} 900${random.digits(3)}`;
}

/** A landline number of the town, of a range which reaches nobody. */
function sampleLandline(random: Random, town: Town): string {
  return `${town.landlinePrefix}${random.digits(3)}`;
}

/** The part of an e-mail address that a name becomes: "Ó Súilleabháin" is "osuilleabhain". */
export function mailboxOf(name: string): string {
  const folded = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[łøßıđþæ]/g, (letter) => FOLDED[letter] ?? '');
  return folded.replace(/[^a-z]/g, '');
}

const FOLDED: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ß: 'ss', ı: 'i', đ: 'd', þ: 'th', æ: 'ae' };

function sampleConsents(random: Random, bookDate: string) {
  return random.pickSome(CONSENTS, random.between(1, 3)).map((type) => ({
    type,
    value: random.pick(['ACCEPTED', 'ACCEPTED', 'REJECTED', 'UNKNOWN'] as const),
    signed_at: `${addDays(bookDate, -random.between(60, 900))}T${String(random.between(8, 19)).padStart(2, '0')}:15:00Z`,
  }));
}

function samplePreferences(random: Random) {
  return {
    opted_into_offers: random.chance(0.4),
    opted_into_recommended: random.chance(0.3),
    opted_into_third_parties: false,
  };
}

function samplePriorityServices(random: Random, bookDate: string) {
  return random
    .pickSome(PRIORITY_SERVICES, random.between(1, 2))
    .map((code) => ({ code, effective_from: addDays(bookDate, -random.between(100, 2_000)) }));
}
