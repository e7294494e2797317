import { z } from 'zod';
import { kindNamed } from '../convert/kinds.ts';
import { quotedText } from '../extract/sql-names.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import { cellsOf, choicesOf } from './cells-of-field.ts';
import type { Field } from './fields.ts';
import { cleaned, readAmounts, readBalances, readDays, readTimes, type Verdict } from './read-values.ts';
import { type JudgedValues, telling, type ValueSurvey } from './survey-values.ts';

/** What is known beside the files. */
export interface Knowledge {
  timeZone: string | undefined;
  /** Of phone numbers without a country's code. */
  country: string | undefined;
}

/** Of so many hundredths of the values a field must be the form, to be theirs. */
const MOST_PERCENT = 90;
/** Fields that take any name in capitals: a code of a letter or two is hardly such a name. */
const NAMES = /^(?:rate_band|reason|payment_type|reading_type|reading_quality|reading_source|sales_channel)$/;
const LONGEST_CODE = 2;
/** Texts of any form, which are no dates, addresses of e-mail or the like. */
const PROSE = /^(?:body|note|display_note|reference|value|.*_reference|.*identifier|.*_id|number|statement_path)$/;

/** Whether a column's values can be those of a field and, if so, how they are read: the name is judged elsewhere. */
export function judgeColumn(column: JudgedValues, field: Field, knowledge: Knowledge): Verdict {
  const kind = kindNamed(field.kind);
  const { survey } = column;
  if (survey.values === 0) return { isOpen: true, says: 'it has no values', candidates: [] };
  const { cellKind, schemas } = cellsOf(field.path, kind);
  if (telling(survey) === 0 && survey.openEnds > 0 && cellKind === 'date') {
    const says = `${counted(survey.openEnds, 'value')} that stand for an open end`;
    return { isOpen: false, sql: (name) => cleaned(name, survey), says };
  }
  if (telling(survey) === 0) return { isOpen: true, says: 'no value says anything', candidates: [] };
  if (survey.cut > 0)
    return { isOpen: true, says: `a spreadsheet has cut ${survey.cut} of its values`, candidates: [] };
  switch (cellKind) {
    case 'date':
      return readDays(survey, field.path);
    case 'day-or-datetime':
      return survey.dates.some(({ time }) => time !== '') ? readTimes(survey, knowledge) : readDays(survey, field.path);
    case 'datetime':
      return readTimes(survey, knowledge);
    case 'decimal':
      if (field.path === 'rate') return readShares(column);
      return field.path === 'transfer_balance' ? readBalances(column) : readAmounts(column, field.path);
    case 'whole-number':
      return readWholeNumbers(column, schemas);
    case 'boolean':
      return ofForm(survey, survey.booleans, { words: 'yes or no' });
    case 'json':
      return accepted(column, { path: field.path, schemas }, 'JSON');
    case 'text':
      return judgeText(column, { field, schemas, knowledge });
  }
}

interface FieldSchemas {
  path: string;
  schemas: readonly z.core.$ZodType[];
}

interface TextOf extends Pick<FieldSchemas, 'schemas'> {
  field: Field;
  knowledge: Knowledge;
}

function judgeText(column: JudgedValues, { field, schemas, knowledge }: TextOf): Verdict {
  const { survey } = column;
  const last = field.path.split('.').at(-1) ?? '';
  if (last === 'email' || last === 'billing_email') return ofForm(survey, survey.emails, { words: 'e-mail addresses' });
  if (last.endsWith('postcode')) {
    const isForeign = survey.clearPostcodes === 0 && knowledge.country === undefined;
    const words = isForeign ? 'postcodes, none of them British: give map check the --country' : 'postcodes';
    return ofForm(survey, survey.postcodes, { words });
  }
  if (last === 'mobile' || last === 'landline') return judgePhones(survey, last, knowledge);
  if (field.path === 'meter_points.identifier' || last === 'meter_point_identifier') return judgeMeterPoints(survey);
  if (!PROSE.test(last)) {
    const other = otherForm(survey);
    if (other !== undefined) return { isOpen: true, says: `most of its values are ${other}`, candidates: [] };
  }
  if (NAMES.test(last) && survey.longest <= LONGEST_CODE) {
    return { isOpen: true, says: 'its values are codes: write what they mean, with CASE', candidates: [] };
  }
  return accepted(column, { path: field.path, schemas }, 'valid');
}

function otherForm(survey: ValueSurvey): string | undefined {
  const forms: readonly [number, string][] = [
    [survey.emails, 'e-mail addresses'],
    [survey.dates.length, 'dates'],
    [survey.amounts.length - survey.wholeNumbers, 'amounts'],
    [survey.meterPoints, 'meter points'],
    [survey.ibans, 'numbers of bank accounts, which belong to the payment vendor'],
  ];
  return forms.find(([count]) => count * 2 > telling(survey))?.[1];
}

/** Mobile numbers and others are told apart in Great Britain alone. */
function judgePhones(survey: ValueSurvey, path: string, { country }: Knowledge): Verdict {
  const most = telling(survey);
  if (path === 'landline' && survey.mobiles > 0 && survey.mobiles === most) {
    return { isOpen: true, says: 'all of its values are mobile numbers', candidates: ['mobile'] };
  }
  if (path === 'landline' && survey.mobiles * 2 > most) {
    return { isOpen: true, says: 'most of its values are mobile numbers', candidates: ['landline', 'mobile'] };
  }
  const verdict = ofForm(survey, survey.phones, { words: 'phone numbers' });
  if (!verdict.isOpen || survey.wholeNumbers + survey.pointZeros < most) return verdict;
  if (country === undefined) {
    return {
      isOpen: true,
      says: 'its numbers have lost their zero or their country: give --country',
      candidates: [path],
    };
  }
  const sql = (column: string) => `to_phone(${cleaned(column, survey, { isNumber: true })}, '${country}')`;
  return { isOpen: false, sql, says: `its values are phone numbers without what stands before them` };
}

/** By their check digits; where no country's fits, by how long they are. */
function judgeMeterPoints(survey: ValueSurvey): Verdict {
  const checked = survey.meterPoints;
  const isNumber = true;
  if (enough(checked, survey))
    return ofForm(survey, checked, { words: 'meter points with a right check digit', isNumber });
  const hasOneLength = survey.shortest === survey.longest && survey.longest >= 8;
  if (hasOneLength && checked === 0)
    return ofForm(survey, telling(survey), { words: `${survey.longest} characters long`, isNumber });
  return { isOpen: true, says: `${checked} of ${telling(survey)} values have a right check digit`, candidates: [] };
}

/** Zeros are no value where the field takes none, such as the day of a payment. */
function readWholeNumbers({ survey, values }: JudgedValues, schemas: readonly z.core.$ZodType[]): Verdict {
  const zeros = [...new Set(values.map((value) => value.trim()))].filter((value) => /^0+$/.test(value));
  const isNone = zeros.length > 0 && !schemas.some((schema) => z.safeParse(schema, 0).success);
  const words = isNone ? 'whole numbers, whose zeros are none' : 'whole numbers';
  const verdict = ofForm(survey, survey.wholeNumbers, { words });
  if (verdict.isOpen || !isNone) return verdict;
  return { ...verdict, sql: (column) => `null_if(${verdict.sql(column)}, ${zeros.map(quotedText).join(', ')})` };
}

/** A rate is a share of one: 0.05, not 5. */
function readShares({ survey, values }: JudgedValues): Verdict {
  const shares = values.filter((value) => /^0?\.\d+$|^[01]$/.test(value.trim())).length;
  if (shares === telling(survey)) return ofForm(survey, shares, { words: 'shares of one' });
  return { isOpen: true, says: 'a rate is a share such as 0.05: its values may be per cent', candidates: [] };
}

function accepted({ survey, values }: JudgedValues, { path, schemas }: FieldSchemas, words: string): Verdict {
  const isNumber = survey.pointZeros > 0 && survey.pointZeros + survey.wholeNumbers === telling(survey);
  if (schemas.length === 0) return ofForm(survey, telling(survey), { words: 'texts', isNumber });
  const told = values.map((value) => value.trim()).filter((value) => !survey.nothingTexts.has(value));
  const choices = choicesOf(schemas, path);
  const isValid = (text: string) => schemas.some((schema) => z.safeParse(schema, text).success);
  const fits = told.filter((text) =>
    choices.length > 0 ? choices.includes(text) : isValid(isNumber ? text.replace(/\.0$/, '') : text),
  );
  if (choices.length > 0 && !enough(fits.length, survey)) {
    const says = `its values have to be translated to ${choices.join(', ')}, with CASE`;
    const pairs = choices.slice(0, 2).map((choice) => `WHEN '?' THEN '${choice}'`);
    return { isOpen: true, says, candidates: [`CASE … ${pairs.join(' ')} END`] };
  }
  return ofForm(survey, fits.length, { words, isNumber });
}

const enough = (count: number, survey: ValueSurvey) => count * 100 >= telling(survey) * MOST_PERCENT;

interface FormWords {
  words: string;
  /** A spreadsheet's `.0` is no part of it. */
  isNumber?: boolean;
}

function ofForm(survey: ValueSurvey, count: number, { words, isNumber = false }: FormWords): Verdict {
  const says = `${grouped(count)} of ${grouped(telling(survey))} values are ${words}`;
  if (!enough(count, survey)) return { isOpen: true, says: `only ${says}`, candidates: [] };
  return { isOpen: false, sql: (column) => cleaned(column, survey, { isNumber }), says };
}
