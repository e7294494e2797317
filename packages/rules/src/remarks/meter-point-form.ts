type Check = (identifier: string) => boolean;

/** What meter points of a country look like, by what they supply: at least one of these must hold. */
interface Country {
  ELECTRICITY: readonly Check[];
  GAS: readonly Check[];
}

const form = (pattern: RegExp, isRight: Check = () => true): Check => {
  return (identifier) => pattern.test(identifier) && isRight(identifier);
};

/**
 * The forms and check digits of the trade, by ISO 3166-1 alpha-2 code: MPAN and MPRN, NMI and MIRN, EAN-18, PRM and PCE,
 * POD and PDR, CUPS, MaLo and MeLo, ICP. Where the check digit is not published the form alone counts.
 */
const COUNTRIES: Readonly<Record<string, Country>> = {
  GB: { ELECTRICITY: [form(/^\d{13}$/, hasMpanDigit)], GAS: [form(/^\d{6,10}$/)] },
  IE: { ELECTRICITY: [form(/^10\d{9}$/)], GAS: [form(/^\d{7}$/)] },
  AU: { ELECTRICITY: [form(/^[A-HJ-NP-Z0-9]{10}$/), nmiWithDigit], GAS: [form(/^5\d{9,10}$/)] },
  NZ: same(form(/^\d{10}[A-Z]{2}[0-9A-F]{3}$/)),
  BE: same(form(/^54\d{16}$/, hasGs1Digit)),
  NL: same(form(/^87\d{16}$/, hasGs1Digit)),
  DK: same(form(/^57\d{16}$/, hasGs1Digit)),
  NO: same(form(/^70\d{16}$/, hasGs1Digit)),
  SE: same(form(/^73\d{16}$/, hasGs1Digit)),
  FI: same(form(/^64\d{16}$/, hasGs1Digit)),
  FR: { ELECTRICITY: [form(/^\d{14}$/)], GAS: [form(/^\d{14}$/), form(/^GI\d{6}$/)] },
  IT: { ELECTRICITY: [form(/^IT\d{3}E\d{8}[A-Z0-9]?$/)], GAS: [form(/^\d{14}$/)] },
  ES: same(form(/^ES\d{16}[A-Z]{2}(?:\d[FPRCXYZ])?$/, hasCupsLetters)),
  DE: same(form(/^[1-9]\d{10}$/, hasMaloDigit), form(/^DE\d{11}[A-Z0-9]{20}$/)),
  AT: same(form(/^AT\d{11}[A-Z0-9]{20}$/)),
};

/** Electricity and gas have the same. */
function same(...checks: Check[]): Country {
  return { ELECTRICITY: checks, GAS: checks };
}

/**
 * Whether an identifier can be that of a meter point of the country. True where its country, or the service, is none that
 * has a known form.
 */
export function isLikelyMeterPoint(identifier: string, country: string, service: unknown): boolean {
  const known = COUNTRIES[country];
  if (known === undefined) return true;
  const text = identifier.replaceAll(' ', '');
  const checks =
    service === 'ELECTRICITY' || service === 'GAS'
      ? known[service]
      : service === undefined
        ? [...known.ELECTRICITY, ...known.GAS]
        : [];
  return checks.length === 0 || checks.some((check) => check(text));
}

const digitsOf = (text: string) => Array.from(text, Number);

const MPAN_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

function hasMpanDigit(mpan: string): boolean {
  const digits = digitsOf(mpan);
  const sum = MPAN_WEIGHTS.reduce((before, weight, index) => before + weight * (digits[index] ?? 0), 0);
  return (sum % 11) % 10 === digits[12];
}

/** Of GS1: from the digit before the last one leftwards, every other digit counts three times. */
function hasGs1Digit(number: string): boolean {
  const digits = digitsOf(number);
  const last = digits.pop();
  const sum = digits.reverse().reduce((before, digit, index) => before + digit * (index % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10 === last;
}

/** Of a Marktlokation: the digits at even places count twice. */
function hasMaloDigit(number: string): boolean {
  const digits = digitsOf(number);
  const last = digits.pop();
  const sum = digits.reduce((before, digit, index) => before + digit * (index % 2 === 0 ? 1 : 2), 0);
  return (10 - (sum % 10)) % 10 === last;
}

const CUPS_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

function hasCupsLetters(cups: string): boolean {
  const rest = Number(BigInt(cups.slice(2, 18)) % 529n);
  return cups.slice(18, 20) === `${CUPS_LETTERS[Math.floor(rest / 23)]}${CUPS_LETTERS[rest % 23]}`;
}

/** An NMI may be written with its checksum: from the right, every other character's code counts twice, digit by digit. */
function nmiWithDigit(nmi: string): boolean {
  if (!/^[A-HJ-NP-Z0-9]{10}\d$/.test(nmi)) return false;
  let sum = 0;
  for (const [index, character] of [...nmi.slice(0, 10)].reverse().entries()) {
    const value = character.charCodeAt(0) * (index % 2 === 0 ? 2 : 1);
    for (const digit of String(value)) sum += Number(digit);
  }
  return (10 - (sum % 10)) % 10 === Number(nmi[10]);
}
