import type { Meter, SupplyAddress } from '@causeway/contracts';
import { numberedLines, type PostalAddress } from './addresses.ts';
import { addDays } from './calendar.ts';
import type { Random } from './random.ts';
import { dailyUse, type Fuel, TARIFFS, type Tariff } from './tariffs.ts';

const ELECTRICITY_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** A 13-digit electricity meter point number (MPAN) on a network, with its check digit. */
function sampleMpan(random: Random, network: string): string {
  return mpanOf(`${network}${random.digits(10)}`);
}

/** The electricity meter point number (MPAN) that begins with these twelve digits. */
export const mpanOf = (core: string) => `${core}${(weighted(core, ELECTRICITY_WEIGHTS) % 11) % 10}`;

/** A ten-digit gas meter point number (MPRN) with its two check digits. */
function sampleMprn(random: Random): string {
  return mprnOf(`${random.between(1, 9)}${random.digits(7)}`);
}

/** The gas meter point number (MPRN) that begins with these eight digits. */
export const mprnOf = (core: string) =>
  `${core}${String(weighted(core, [8, 7, 6, 5, 4, 3, 2, 1]) % 11).padStart(2, '0')}`;

function weighted(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((total, digit, position) => total + Number(digit) * (weights[position] ?? 0), 0);
}

/** Who lives at a supply address since when, and how much they use. */
export interface Occupation {
  fuels: readonly Fuel[];
  movedInOn: string;
  lastBilledTo: string;
  /** 100 is an ordinary home. */
  usePercent: number;
  tariffs: ReadonlyMap<Fuel, Tariff>;
  isLandlord: boolean;
}

/** Who lives there, drawn at random: three in five burn gas too. */
export function sampleOccupation(random: Random, lastBilledTo: string, isBusiness: boolean): Occupation {
  const fuels: readonly Fuel[] = random.chance(0.6) ? ['ELECTRICITY', 'GAS'] : ['ELECTRICITY'];
  return {
    fuels,
    movedInOn: addDays(lastBilledTo, -random.between(700, 5_000)),
    lastBilledTo,
    usePercent: isBusiness ? random.between(180, 900) : random.between(45, 190),
    tariffs: new Map(fuels.map((fuel) => [fuel, random.pick(TARIFFS.filter((tariff) => tariff.fuel === fuel))])),
    isLandlord: false,
  };
}

/** A supply address with a meter point for each fuel. */
export function sampleSupplyAddress(random: Random, address: PostalAddress, occupation: Occupation): SupplyAddress {
  return {
    ...numberedLines('supply_address', address),
    supply_postcode: address.postcode,
    customer_at_supply_address_from_date: occupation.movedInOn,
    ...(occupation.isLandlord && { is_landlord: true }),
    meter_points: occupation.fuels.map((fuel) => ({
      identifier: fuel === 'GAS' ? sampleMprn(random) : sampleMpan(random, address.town.electricityNetwork),
      supply_type: fuel,
      supply_start_date: addDays(occupation.movedInOn, random.between(0, 40)),
      mpid: 'HVEN',
      agreements: sampleAgreements(random, fuel, occupation),
      meters: [sampleMeter(random, fuel, occupation)],
    })),
  };
}

function sampleAgreements(random: Random, fuel: Fuel, occupation: Occupation) {
  const current = occupation.tariffs.get(fuel);
  if (!current) return [];
  const changedOn = addDays(occupation.lastBilledTo, -random.between(30, 300));
  const former = random.pick(TARIFFS.filter((tariff) => tariff.fuel === fuel));
  return [
    { tariff_code: former.code, effective_from: addDays(occupation.movedInOn, 45), effective_to: changedOn },
    { tariff_code: current.code, effective_from: changedOn },
  ];
}

function sampleMeter(random: Random, fuel: Fuel, occupation: Occupation): Meter {
  const isSmart = random.chance(0.62);
  const hasNightRate = fuel === 'ELECTRICITY' && random.chance(0.15);
  const registerIds = hasNightRate ? ['DAY', 'NIGHT'] : ['1'];
  const made = String(random.between(11, 24));
  return {
    meter_serial_number: `${isSmart ? made : 'K'}${fuel === 'GAS' ? 'G4' : 'E'}${made}${random.digits(6)}`,
    installed_on: addDays(occupation.lastBilledTo, -random.between(600, 3_600)),
    registers: registerIds.map((register_id) => ({ register_id, number_of_digits: 5 })),
    ...sampleReadings(random, { registerIds, fuel, isSmart, occupation }),
  };
}

/** Readings go up; the last ones, taken on the last billed day, are those the account changes hands with. */
function sampleReadings(
  random: Random,
  {
    registerIds,
    fuel,
    isSmart,
    occupation,
  }: { registerIds: string[]; fuel: Fuel; isSmart: boolean; occupation: Occupation },
) {
  const dates = [-364, -273, -182, -91, 0].map((days) => addDays(occupation.lastBilledTo, days));
  const readings = registerIds.flatMap((register_id) => {
    let tenths = random.between(20_000, 400_000);
    return dates.map((reading_date) => {
      const perDay = dailyUse(fuel, reading_date, occupation.usePercent) / registerIds.length;
      // A gas meter counts cubic metres, of some 11 kilowatt-hours each.
      tenths += Math.round((perDay * 91) / (fuel === 'GAS' ? 11 : 1));
      const reading_type = isSmart ? 'SMART' : random.pick(['CUSTOMER', 'ROUTINE', 'ESTIMATED']);
      return { register_id, reading_date, reading_value: readingText(tenths, isSmart), reading_type };
    });
  });
  return {
    transfer_readings: readings.filter(({ reading_date }) => reading_date === occupation.lastBilledTo),
    reading_history: readings.filter(({ reading_date }) => reading_date !== occupation.lastBilledTo),
  };
}

function readingText(tenths: number, isSmart: boolean): string {
  const whole = Math.floor(tenths / 10);
  return isSmart ? `${whole}.${tenths % 10}` : String(whole);
}
