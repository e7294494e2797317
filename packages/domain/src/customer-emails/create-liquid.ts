import { limitText } from '@causeway/contracts/limits';
import { type Context, type Emitter, Liquid, toValue } from 'liquidjs';

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
export function createLiquid({ escapes, maximum }: { escapes: boolean; maximum: number }): Liquid {
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
