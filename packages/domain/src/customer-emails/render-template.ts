import { LIMITS, type TEMPLATE_NAMES, type UNSUBSCRIBE_NAME } from '@causeway/contracts';
import type { Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../errors.ts';
import { createLiquid } from './create-liquid.ts';

/** The texts of an e-mail: as templates, or rendered. */
export interface EmailTexts {
  subject: string;
  text: string;
  html: string;
}

type Names = typeof TEMPLATE_NAMES;
/** What templates can name, with its values. */
export type TemplateValues = { [Group in keyof Names]: Record<Names[Group][number], string> } & Record<
  typeof UNSUBSCRIBE_NAME,
  string
>;

export const TEXT_NAMES = ['subject', 'text', 'html'] as const;
const ENGINES = {
  subject: createLiquid({ escapes: false, maximum: LIMITS.email_rendered_subject }),
  text: createLiquid({ escapes: false, maximum: LIMITS.email_rendered_text }),
  html: createLiquid({ escapes: true, maximum: LIMITS.email_rendered_html }),
};
const PARSED_TEXTS = 60;
/** Parsing takes longer than rendering, and thousands of messages have the same text. */
const parsedTexts = new LRUCache<string, Template[]>({ max: PARSED_TEXTS });
const MAX_WHAT = 300;
const LINE_BREAKS = /[\s\p{Cc}]+/gu;

/** Renders the three texts; the subject is one line. Throws what Liquid throws. */
export function renderTexts(texts: EmailTexts, values: TemplateValues): EmailTexts {
  const render = (name: (typeof TEXT_NAMES)[number]): string => {
    const key = `${name} ${texts[name]}`;
    const parsed = parsedTexts.get(key) ?? ENGINES[name].parse(texts[name]);
    parsedTexts.set(key, parsed);
    return ENGINES[name].renderSync(parsed, values);
  };
  return { subject: render('subject').replaceAll(LINE_BREAKS, ' ').trim(), text: render('text'), html: render('html') };
}

/**
 * The same; texts that cannot be rendered are `email_template_invalid`, with the name of each. What Liquid says holds
 * nothing but the template's own words, since the values are invented.
 */
export function tryTexts(texts: EmailTexts, values: TemplateValues): EmailTexts {
  const errors = TEXT_NAMES.flatMap((attr) => {
    try {
      renderTexts({ subject: '', text: '', html: '', [attr]: texts[attr] }, values);
      return [];
    } catch (error) {
      return [{ attr, code: 'email_template_invalid' as const, detail: sentenceOf(error) }];
    }
  });
  const [first] = errors;
  if (first === undefined) return renderTexts(texts, values);
  throw new DomainError('email_template_invalid', first.detail, { errors });
}

/** Liquid says `undefined variable: customer.givenname, line:1, col:7`, and then shows the place. */
function sentenceOf(error: unknown): string {
  const [line = ''] = (error as Error).message.split('\n');
  const [, what = '', row, column] = /^(.*?)(?:, line:(\d+), col:(\d+))?$/.exec(line) ?? [];
  const place = row === undefined ? '' : ` at line ${row}, column ${column}`;
  return `Cannot be rendered${place}: ${what.replaceAll(LINE_BREAKS, ' ').slice(0, MAX_WHAT)}.`;
}
