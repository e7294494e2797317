import { HOUSE_NAMES, TOWNS, type Town } from './places.ts';
import type { Random } from './random.ts';

export interface PostalAddress {
  town: Town;
  /** Two to four lines, the town among them, without the postcode. */
  lines: readonly string[];
  postcode: string;
}

// A second half of a postcode never has C, I, K, M, O or V.
const UNIT_LETTERS = [...'ABDEFGHJLNPQRSTUWXYZ'];

/** A plausible address in one of the sample towns. */
export function sampleAddress(random: Random): PostalAddress {
  const town = random.pick(TOWNS);
  const street = `${random.between(1, 180)} ${random.pick(town.streets)}`;
  const building = sampleBuilding(random);
  const lines = [...building, street, town.name, ...(town.county && random.chance(0.5) ? [town.county] : [])];
  return { town, lines, postcode: samplePostcode(random, town) };
}

/** Another address in the same town, for those who have several. */
export function sampleNeighbour(random: Random, address: PostalAddress): PostalAddress {
  const { town } = address;
  const street = `${random.between(1, 180)} ${random.pick(town.streets)}`;
  return { town, lines: [...sampleBuilding(random), street, town.name], postcode: samplePostcode(random, town) };
}

function sampleBuilding(random: Random): string[] {
  if (random.chance(0.2)) return [`Flat ${random.between(1, 24)}`];
  return random.chance(0.1) ? [random.pick(HOUSE_NAMES)] : [];
}

function samplePostcode(random: Random, town: Town): string {
  const unit = `${random.pick(UNIT_LETTERS)}${random.pick(UNIT_LETTERS)}`;
  return `${random.pick(town.districts)} ${random.between(1, 9)}${unit}`;
}

/** An address in numbered lines: `numberedLines('billing_address', address)` has `billing_address1` and so on. */
export function numberedLines<Name extends string>(name: Name, { lines }: PostalAddress) {
  const [first = '', second, third, fourth] = lines;
  return {
    [`${name}1`]: first,
    ...(second !== undefined && { [`${name}2`]: second }),
    ...(third !== undefined && { [`${name}3`]: third }),
    ...(fourth !== undefined && { [`${name}4`]: fourth }),
  } as { [key in `${Name}1`]: string } & { [key in `${Name}${2 | 3 | 4}`]?: string };
}
