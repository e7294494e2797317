import { capitalised, words } from '../../format/words.ts';

/** One setting, as JSON Schema says it: see build/supplier-settings.ts. */
export interface Setting {
  type?: string;
  description?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
  anyOf?: Setting[];
}

type Settings = Readonly<Record<string, Setting>>;

declare const SUPPLIER_SETTINGS: { create: Settings; update: Settings };

/** The settings of a new import supplier, and of one that there is, in the order of the contracts. */
export const SETTINGS = SUPPLIER_SETTINGS;

/** A number or nothing is a number that may be empty, and its sentence says so: a form has no null. */
export function flat({ anyOf = [], ...setting }: Setting): Setting & { isNullable: boolean } {
  const [form] = anyOf.filter(({ type }) => type !== 'null');
  const isNullable = anyOf.some(({ type }) => type === 'null');
  const merged = { ...form, ...setting, isNullable };
  if (!isNullable || merged.description === undefined) return merged;
  return { ...merged, description: merged.description.replaceAll('Null', 'Empty').replaceAll('null', 'empty') };
}

/** What stands in the field of a value. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The value of what stands in a field, as the service takes it. */
export function settingValue(setting: Setting, text: string): unknown {
  const { type, isNullable } = flat(setting);
  if (type === 'boolean') return text === 'true';
  if (type === 'array') return text.split(/[\s,]+/).filter((item) => item !== '');
  if (text === '' && isNullable) return null;
  if (type === 'integer' || type === 'number') return Number(text);
  return text;
}

/** `send_customer_emails` as `Send customer e-mails`. */
export function labelOf(name: string): string {
  return capitalised(words(name).replace('email', 'e-mail'));
}

/** The values of a setting with what each means, and what else its sentences say. */
export function choicesOf({ enum: values = [], description = '' }: Setting) {
  let rest = description;
  const choices = values.map((value) => {
    // Of each value there is a sentence: `OFF: they are not compared.`
    const [sentence = '', meaning] = new RegExp(`\\b${value}: ([^.]+)\\. ?`).exec(description) ?? [];
    rest = rest.replace(sentence, '');
    return { value, name: words(value.toLowerCase()), meaning };
  });
  return { choices, rest: rest.trim() };
}
