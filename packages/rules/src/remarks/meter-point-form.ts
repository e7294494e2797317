/** How meter points are numbered. */
interface Form {
  pattern: RegExp;
  /** Whether its check digits are right. */
  isRight?: (identifier: string) => boolean;
  /** Hardly anything else looks like it. */
  isDistinct: boolean;
}

const checked = (pattern: RegExp, isRight: (identifier: string) => boolean): Form => ({
  ...{ pattern, isRight },
  isDistinct: true,
});
const distinct = (pattern: RegExp): Form => ({ pattern, isDistinct: true });
const plain = (pattern: RegExp): Form => ({ pattern, isDistinct: false });

const MPAN = checked(/^\d{13}$/, hasMpanDigit);
const MPRN = checked(/^\d{6,10}$/, hasMprnDigits);
const NMI = checked(/^[A-HJ-NP-Z\d]{10}\d$/, hasNmiDigit);
/** The GSRN, which Belgium and the Netherlands call EAN-18. */
const gsrn = (country: string) => checked(new RegExp(`^${country}\\d{16}$`), hasGs1Digit);
const CUPS = checked(/^ES\d{16}[A-Z]{2}(?:\d[FPRCXYZ])?$/, hasCupsLetters);
/** The Marktlokation; the older Zählpunkt and the Messlokation have a form of their own. */
const MALO = checked(/^[1-9]\d{10}$/, hasMaloDigit);
const zaehlpunkt = (country: string) => distinct(new RegExp(`^${country}\\d{11}[A-Z\\d]{20}$`));
const POD = distinct(/^IT\d{3}E\d{8}[A-Z\d]?$/);
const ICP = distinct(/^\d{10}[A-Z]{2}[\dA-F]{3}$/);

interface Country {
  ELECTRICITY: readonly Form[];
  GAS: readonly Form[];
}

const both = (...forms: Form[]): Country => ({ ELECTRICITY: forms, GAS: forms });

/** By ISO 3166-1 alpha-2 code: a meter point has one of the forms. */
const COUNTRIES: Readonly<Record<string, Country>> = {
  GB: { ELECTRICITY: [MPAN], GAS: [MPRN] },
  IE: { ELECTRICITY: [plain(/^10\d{9}$/)], GAS: [plain(/^\d{7}$/)] },
  AU: { ELECTRICITY: [NMI, plain(/^[A-HJ-NP-Z\d]{10}$/)], GAS: [plain(/^5\d{9,10}$/)] },
  NZ: both(ICP),
  BE: both(gsrn('54')),
  NL: both(gsrn('87')),
  DK: both(gsrn('57')),
  NO: both(gsrn('70')),
  SE: both(gsrn('73')),
  FI: both(gsrn('64')),
  FR: { ELECTRICITY: [plain(/^\d{14}$/)], GAS: [plain(/^\d{14}$/), plain(/^GI\d{6}$/)] },
  IT: { ELECTRICITY: [POD], GAS: [plain(/^\d{14}$/)] },
  ES: both(CUPS),
  DE: both(MALO, zaehlpunkt('DE')),
  AT: both(zaehlpunkt('AT')),
};

const has = (identifier: string, forms: readonly Form[]) =>
  forms.some(({ pattern, isRight }) => pattern.test(identifier) && isRight?.(identifier) !== false);

/**
 * Whether an identifier can be that of a meter point of the country. True where its country, or the service, is none that
 * has a known form.
 */
export function isLikelyMeterPoint(identifier: string, country: string, service: unknown): boolean {
  const known = COUNTRIES[country];
  if (known === undefined) return true;
  const text = identifier.replaceAll(' ', '');
  if (service === 'ELECTRICITY' || service === 'GAS') return has(text, known[service]);
  return service !== undefined || has(text, [...known.ELECTRICITY, ...known.GAS]);
}

const DISTINCT = Object.values(COUNTRIES)
  .flatMap(({ ELECTRICITY, GAS }) => [...ELECTRICITY, ...GAS])
  .filter(({ isDistinct }) => isDistinct);

/** Whether a text is the identifier of a meter point of some country, by its check digits or by a form of its own. */
export const isMeterPoint = (text: string) => has(text, DISTINCT);

const DIGIT_0 = '0'.charCodeAt(0);
/** A plain loop: each account that is sent has such numbers. */
function weighed(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    sum += (digits.charCodeAt(index) - DIGIT_0) * (weights[index % weights.length] ?? 0);
  }
  return sum;
}

const toNextTen = (sum: number) => (10 - (sum % 10)) % 10;

const MPAN_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

function hasMpanDigit(mpan: string): boolean {
  return (weighed(mpan.slice(0, -1), MPAN_WEIGHTS) % 11) % 10 === Number(mpan.at(-1));
}

const MPRN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 1];

/** The last two digits. */
function hasMprnDigits(mprn: string): boolean {
  const digits = mprn.slice(0, -2);
  return weighed(digits, MPRN_WEIGHTS.slice(-digits.length)) % 11 === Number(mprn.slice(-2));
}

/** Of GS1: from the digit before the last one leftwards, every other digit counts three times. */
function hasGs1Digit(gsrn: string): boolean {
  return toNextTen(weighed(gsrn.slice(0, -1), [3, 1])) === Number(gsrn.at(-1));
}

/** The digits at even places count twice. */
function hasMaloDigit(malo: string): boolean {
  return toNextTen(weighed(malo.slice(0, -1), [1, 2])) === Number(malo.at(-1));
}

/** From the right, every other character's code counts twice, digit by digit. */
function hasNmiDigit(nmi: string): boolean {
  const codes = [...nmi.slice(0, -1)]
    .reverse()
    .map((letter, index) => letter.charCodeAt(0) * (index % 2 === 0 ? 2 : 1));
  return toNextTen(codes.reduce((sum, code) => sum + weighed(String(code), [1]), 0)) === Number(nmi.at(-1));
}

const CUPS_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

function hasCupsLetters(cups: string): boolean {
  const rest = Number(BigInt(cups.slice(2, 18)) % 529n);
  return cups.slice(18, 20) === `${CUPS_LETTERS[Math.floor(rest / 23)]}${CUPS_LETTERS[rest % 23]}`;
}
