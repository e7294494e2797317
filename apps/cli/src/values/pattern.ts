/** What a text in a format says, as it is written but for months and years. */
export interface TextFields {
  year: string;
  month: string;
  day: string;
  hour?: string;
  minute?: string;
  second?: string;
  fraction?: string;
  /** `Z`, or an offset from UTC such as `+01:00`, which may stand behind any time. */
  zone?: string;
}

/** How a file writes its dates or datetimes. */
export interface TextPattern {
  hasTime: boolean;
  /** Zeros stand for no day. */
  hasCentury: boolean;
  /** Undefined where the text is not written so. */
  match(text: string): TextFields | undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const PIECES = /YYYY|RRRR|YY|RR|MON|MMM|MM|MI|M|DD|D|C(?=YY)|HH24|HH12|HH|H|SS|FF\d|F+|AM|PM|"[^"]*"|[^A-Za-z"]+|./gis;

/** Field and pattern of each piece of a format. A number loses the century that is 0. */
const ELEMENTS: Readonly<Record<string, readonly [field: string, pattern: string]>> = {
  YYYY: ['year', '\\d{4}'],
  RRRR: ['year', '\\d{4}'],
  C: ['century', '\\d?'],
  YY: ['shortYear', '\\d{2}'],
  RR: ['shortYear', '\\d{2}'],
  MON: ['month', '[A-Za-z]{3}'],
  MMM: ['month', '[A-Za-z]{3}'],
  MM: ['month', ''],
  M: ['month', ''],
  DD: ['day', ''],
  D: ['day', ''],
  HH24: ['hour', ''],
  HH12: ['hour', ''],
  HH: ['hour', ''],
  H: ['hour', ''],
  MI: ['minute', '\\d{2}'],
  SS: ['second', '\\d{2}'],
  FF: ['fraction', '\\d+'],
  AM: ['half', '[AaPp]\\.?[Mm]\\.?'],
  PM: ['half', '[AaPp]\\.?[Mm]\\.?'],
};

/** RR is Oracle's: 50 to 99 are the last century. */
const PIVOT_OF_RR = 50;

interface Piece {
  text: string;
  field: string | undefined;
  pattern: string;
}

/**
 * Reads texts in a format, in the words of Oracle or of others: YYYY, YY or RR, or CYY of mainframes, whose C is 0 for 19
 * and 1 for 20; MM, M, or MON and MMM for English names;
 * DD, D; HH24, HH12, HH, H; MI, or `mm` behind the hour; SS; FF for a fraction; AM. Upper and lower case are the same.
 *
 * @param pivot two-digit years from it on are in the 1900s, those below in the 2000s; RR has 50, YY needs one
 * @throws RangeError where the format is none, in a sentence that says what to write
 */
export function patternOf(format: string, pivot?: number): TextPattern {
  const pieces = piecesOf(format);
  const fields = pieces.map(({ field }) => field).filter((field) => field !== undefined);
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice === 'month') throw new RangeError(`"${format}" has the month twice. Write MI for minutes.`);
  if (twice !== undefined) throw new RangeError(`"${format}" has the ${twice} twice.`);
  const hasYear = fields.includes('year') !== fields.includes('shortYear');
  if (!hasYear || !fields.includes('month') || !fields.includes('day')) throw noFormat(format);
  const hasCentury = fields.includes('century');
  if (pivot === undefined && !hasCentury && /YY/i.test(format) && fields.includes('shortYear')) {
    throw new RangeError(
      `"${format}" has years of two digits. Write RR, which is 1950 to 2049; or name the first year of the 1900s: with 30 behind the format, they are 1930 to 2029.`,
    );
  }
  const hasTime = fields.includes('hour');
  const zone = hasTime ? '(?:\\s?(Z|[+-]\\d{2}:?\\d{2}))?' : '';
  const expression = new RegExp(`^${pieces.map(({ pattern }) => pattern).join('')}${zone}$`);
  return {
    hasTime,
    hasCentury,
    match(text) {
      const found = expression.exec(text);
      if (found === null) return undefined;
      const [, ...values] = found;
      const read = Object.fromEntries([...fields, 'zone'].map((field, index) => [field, values[index]]));
      return completed(read, pivot ?? PIVOT_OF_RR);
    },
  };
}

function noFormat(format: string): RangeError {
  return new RangeError(
    `"${format}" is not a date format. Give DD, MM or MON, and YYYY, and for a time HH24, MI and SS, such as DD/MM/YYYY HH24:MI.`,
  );
}

function piecesOf(format: string): Piece[] {
  const texts = format.match(PIECES) ?? [];
  let isAfterHour = false;
  const pieces = texts.map((text) => {
    const isMinutes = text === 'mm' && isAfterHour;
    const [field, pattern = ''] = ELEMENTS[isMinutes ? 'MI' : text.toUpperCase().replace(/^F+\d?$/, 'FF')] ?? [];
    isAfterHour = field === 'hour' || (isAfterHour && field === undefined);
    if (field === undefined && /^[A-Za-z]$/.test(text) && !/^[TZ]$/.test(text)) throw noFormat(format);
    return { text, field, pattern };
  });
  const isNumber = (piece: Piece | undefined) => piece?.field !== undefined && /^(?:\\d|$)/.test(piece.pattern);
  return pieces.map((piece, index) => {
    // Where digits follow digits, only the width tells them apart.
    const isFixed = isNumber(pieces[index - 1]) || isNumber(pieces[index + 1]);
    if (piece.field === undefined) return { ...piece, pattern: literal(piece.text) };
    return { ...piece, pattern: `(${piece.pattern || (isFixed ? '\\d{2}' : '\\d{1,2}')})` };
  });
}

/** A Z at the end of a format is the zone, which every time may have. */
function literal(text: string): string {
  if (text === 'Z') return '';
  return text.replace(/^"(.*)"$/s, '$1').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function completed(read: Partial<Record<string, string>>, pivot: number): TextFields | undefined {
  const { shortYear, century, half, month = '', day = '', hour, ...rest } = read;
  const isHalf = half === undefined || (Number(hour) >= 1 && Number(hour) <= 12);
  const hours = half === undefined ? hour : String((Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0));
  const number = /\d/.test(month) ? month : String(MONTHS.indexOf(month.toLowerCase()) + 1);
  if (!isHalf || number === '0') return undefined;
  const ofPivot = Number(shortYear) >= pivot ? 19 : 20;
  const hundreds = century === undefined ? ofPivot : 19 + Number(century);
  const year = shortYear === undefined ? (read.year ?? '') : `${hundreds}${shortYear}`;
  return {
    ...rest,
    year,
    month: number.padStart(2, '0'),
    day: day.padStart(2, '0'),
    ...(hours !== undefined && { hour: hours.padStart(2, '0') }),
  };
}
