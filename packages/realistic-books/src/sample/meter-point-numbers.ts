import type { Random } from './random.ts';

const ELECTRICITY_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** A 13-digit electricity meter point number (MPAN) on a network, with its check digit. */
export function sampleMpan(random: Random, network: string): string {
  const core = `${network}${random.digits(10)}`;
  return `${core}${(weighted(core, ELECTRICITY_WEIGHTS) % 11) % 10}`;
}

/** A ten-digit gas meter point number (MPRN) with its two check digits. */
export function sampleMprn(random: Random): string {
  const core = `${random.between(1, 9)}${random.digits(7)}`;
  const check = weighted(core, [8, 7, 6, 5, 4, 3, 2, 1]) % 11;
  return `${core}${String(check).padStart(2, '0')}`;
}

function weighted(digits: string, weights: readonly number[]): number {
  return [...digits].reduce((total, digit, position) => total + Number(digit) * (weights[position] ?? 0), 0);
}
