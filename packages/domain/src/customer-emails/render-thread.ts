import { parentPort } from 'node:worker_threads';
import { LIMITS, limitText } from '@causeway/contracts/limits';
import { type Context, type Emitter, Liquid, type Template, toValue } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { type EmailTexts, TEXT_NAMES, type TemplateValues, type TextFault, type TextName } from './template-values.ts';

/** None of time: Liquid looks at the clock between two steps, and a busy machine is no fault of a template. */
const LIMITS_OF_LIQUID = { parseLimit: 200_000, memoryLimit: 2_000_000 };
/** They read files, or would leave a value unescaped. */
const FORBIDDEN_TAGS = ['include', 'render', 'layout', 'block'];
/**
 * The first make lists of lists: a short template has one that is longer than any memory when it is written. The others
 * evaluate an expression for each item of a list, compare items or take one by chance. No value of an e-mail is a list:
 * nobody needs them.
 */
const FORBIDDEN_FILTERS = [
  ...['concat', 'push', 'unshift'],
  ...['where', 'reject', 'group_by', 'has', 'find', 'find_index'].flatMap((name) => [name, `${name}_exp`]),
  ...['map', 'sum', 'sort', 'sort_natural', 'uniq', 'compact', 'sample'],
];

/**
 * An engine for one kind of text, which becomes so many characters at most. A misspelt name is an error, but for where it
 * is asked whether there is one. Only own properties of the values are seen, and no file. What `raw` gives is escaped
 * like everything else.
 */
function createLiquid({ escapes, maximum }: { escapes: boolean; maximum: number }): Liquid {
  const liquid = new Liquid({
    ...LIMITS_OF_LIQUID,
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    templates: {},
    cache: false,
    ...(escapes && { outputEscape: 'escape' as const }),
  });
  liquid.registerFilter('raw', (value: unknown) => value);
  for (const name of FORBIDDEN_FILTERS) liquid.unregisterFilter(name);
  for (const name of FORBIDDEN_TAGS) {
    liquid.registerTag(name, {
      parse() {
        throw new Error(`the tag ${name} is not allowed`);
      },
      render: () => '',
    });
  }
  limitOutput(liquid, maximum);
  return liquid;
}

/** Whatever is rendered is written here, also by `capture`. */
function limitOutput({ renderer }: Liquid, maximum: number): void {
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates, context, emitter = new LimitedEmitter(context, maximum)) =>
    renderTemplates(templates, context, emitter);
}

/** Liquid itself does not count what is written: a loop over the template's own words would have no end in memory. */
class LimitedEmitter implements Emitter {
  buffer = '';
  readonly #context: Context;
  readonly #maximum: number;
  #written = 0;

  constructor(context: Context, maximum: number) {
    this.#context = context;
    this.#maximum = maximum;
  }

  write(value: unknown): void {
    const known: unknown = toValue(value);
    if (Array.isArray(known)) {
      for (const part of known) this.write(part);
      return;
    }
    const piece = String(known ?? '');
    // Several that are captured are limited together.
    this.#context.memoryLimit.use(piece.length);
    this.#written += charactersOf(piece);
    if (this.#written > this.#maximum) throw new Error(`it becomes longer than ${limitText(this.#maximum)} characters`);
    this.buffer += piece;
  }
}

function charactersOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

// Runs programs that people wrote: only ever in a thread of its own (`render-thread.ts`).

const MAXIMA: Record<TextName, number> = {
  subject: LIMITS.email_rendered_subject,
  text: LIMITS.email_rendered_text,
  html: LIMITS.email_rendered_html,
};
const engineOf = (name: TextName) => createLiquid({ escapes: name === 'html', maximum: MAXIMA[name] });
const ENGINES = { subject: engineOf('subject'), text: engineOf('text'), html: engineOf('html') };
/** Parsed, a text may take a hundred times as many bytes: so many characters fit into the memory of a thread. */
const PARSED_CHARACTERS = 200_000;
/** Parsing takes longer than rendering, and thousands of messages have the same text. */
const parsedTexts = new LRUCache<string, Template[]>({
  maxSize: PARSED_CHARACTERS,
  sizeCalculation: (_, text) => text.length,
});
const MAX_WHAT = 300;
const LINE_BREAKS = /[\s\p{Cc}]+/gu;

interface OneText {
  name: TextName;
  text: string;
}

function parse({ name, text }: OneText): Template[] {
  const key = `${name} ${text}`;
  const parsed = parsedTexts.get(key) ?? ENGINES[name].parse(text);
  parsedTexts.set(key, parsed);
  return parsed;
}

/** Of each text, what `work` makes of it; or what is wrong with those that cannot be read or rendered. */
function ofEach<Result>(
  texts: EmailTexts,
  work: (one: OneText) => Result,
): Record<TextName, Result> | { faults: TextFault[] } {
  const faults: TextFault[] = [];
  const results = TEXT_NAMES.flatMap((name) => {
    try {
      return [[name, work({ name, text: texts[name] })] as const];
    } catch (error) {
      faults.push({ attr: name, detail: sentenceOf(error) });
      return [];
    }
  });
  return faults.length > 0 ? { faults } : (Object.fromEntries(results) as Record<TextName, Result>);
}

/** The three texts, rendered; the subject is one line. */
export function renderTexts(texts: EmailTexts, values: object): { texts: EmailTexts } | { faults: TextFault[] } {
  const rendered = ofEach(texts, (one) => ENGINES[one.name].renderSync(parse(one), values) as string);
  if ('faults' in rendered) return rendered;
  return { texts: { ...rendered, subject: rendered.subject.replaceAll(LINE_BREAKS, ' ').trim() } };
}

/** What the texts name, each as a path: of one whose end is computed, what stands before that. */
export function namesOf(texts: EmailTexts): { names: string[][] } | { faults: TextFault[] } {
  const found = ofEach(texts, (one) => ENGINES[one.name].globalVariableSegmentsSync(parse(one)));
  if ('faults' in found) return found;
  const paths = TEXT_NAMES.flatMap((name) => found[name]).map((segments) => {
    const computed = segments.findIndex((segment) => typeof segment !== 'string');
    return segments.slice(0, computed === -1 ? segments.length : computed).map(String);
  });
  return { names: paths };
}

/** Liquid says `undefined variable: customer.givenname, line:1, col:7`, and then shows the place. */
function sentenceOf(error: unknown): string {
  const [line = ''] = (error as Error).message.split('\n');
  const [, what = '', row, column] = /^(.*?)(?:, line:(\d+), col:(\d+))?$/.exec(line) ?? [];
  const place = row === undefined ? '' : ` at line ${row}, column ${column}`;
  const said = what.replaceAll(LINE_BREAKS, ' ').slice(0, MAX_WHAT);
  return `Cannot be rendered${place}: ${said.replace(/^undefined filter: (.*)$/, 'there is no filter $1 for templates')}.`;
}

/** What a thread is asked: which values the texts need, or to render them with those. */
export type RenderRequest = { texts: EmailTexts; values?: Partial<TemplateValues> };
export type RenderAnswer = { texts: EmailTexts } | { names: string[][] } | { faults: TextFault[] };

/** Renders templates in this thread, one after the other, until anyone who asks ends it. */
export function answerRenderRequests(): void {
  parentPort?.on('message', ({ texts, values }: RenderRequest) => {
    const answer: RenderAnswer = values === undefined ? namesOf(texts) : renderTexts(texts, values);
    parentPort?.postMessage(answer);
  });
  parentPort?.postMessage('ready');
}
