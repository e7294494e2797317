import { LRUCache } from 'lru-cache';
import type { Answered, Unanswered } from '../shared/ask-thread.ts';
import { ThreadPool } from '../shared/thread-pool.ts';
import type { RenderAnswer, RenderRequest } from './render-thread.ts';
import type { EmailTexts, TemplateValues, TextFault } from './template-values.ts';

/** What happened to texts: rendered; with faults of their own; or not known, because the thread was ended. */
export type Rendered = { texts: EmailTexts } | { faults: TextFault[] } | { unanswered: Unanswered };

/** Renders templates in threads (behaviour 29.4). */
export interface TemplateRenderer {
  /** For one rendering, with the wait for a thread. */
  readonly timeoutMs: number;
  /** Never rejects. */
  render(texts: EmailTexts, values: TemplateValues, options: RenderOptions): Promise<Rendered>;
  close(): Promise<void>;
}

export interface RenderOptions {
  /** The import supplier whose texts they are: it has one thread at a time, and suppliers take turns. */
  code: string;
  timeoutMs?: number;
}

export interface RendererSettings {
  /** A file that calls `answerRenderRequests`. */
  entry: URL;
  threads?: number;
  cpuMs?: number;
  timeoutMs?: number;
}

/** The largest template takes a quarter of it at first, and a hundredth later. */
const CPU_MS = 2_000;
export const RENDERED_WITHIN_MS = 10_000;
const THREADS = 2;
/** What one text may take is a small part of it. A thread that needs more ends. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 64 };
const KNOWN_TEMPLATES = 60;

export function createTemplateRenderer({
  entry,
  threads = THREADS,
  cpuMs = CPU_MS,
  timeoutMs: ownTimeoutMs = RENDERED_WITHIN_MS,
}: RendererSettings): TemplateRenderer {
  const pool = new ThreadPool<RenderRequest, RenderAnswer>({ entry, threads, cpuMs, memory: MEMORY });
  /** What texts name never changes: it is asked once, and kept also if anyone who asked first has no time left. */
  const known = new LRUCache<string, Promise<Answered<RenderAnswer>>>({ max: KNOWN_TEMPLATES });

  function findNames(code: string, request: RenderRequest): Promise<Answered<RenderAnswer>> {
    const { subject, text, html } = request.texts;
    const key = JSON.stringify([subject, text, html]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = pool.ask(code, request, { doneWithinMs: ownTimeoutMs });
    known.set(key, found);
    void found.then((how) => {
      if (!('answer' in how && 'names' in how.answer)) known.delete(key);
    });
    return found;
  }

  return {
    timeoutMs: ownTimeoutMs,
    async render({ subject, text, html }, values, { code, timeoutMs = ownTimeoutMs }) {
      const until = performance.now() + timeoutMs;
      const request = { texts: { subject, text, html } };
      const found = await findNames(code, request);
      if ('unanswered' in found) return found;
      if (!('names' in found.answer)) return found.answer;
      const needed = { ...request, values: valuesNamed(found.answer.names, values) };
      const rendered = await pool.ask(code, needed, { doneWithinMs: Math.max(0, until - performance.now()) });
      if ('unanswered' in rendered) return rendered;
      return 'names' in rendered.answer ? { unanswered: 'failed' } : rendered.answer;
    },
    close: () => pool.close(),
  };
}

/** The values that are named; a whole group, if it is not known which of its fields are. */
export function valuesNamed(names: readonly (readonly string[])[], values: TemplateValues): Partial<TemplateValues> {
  const needed: Record<string, unknown> = {};
  const all = Object.entries(values) as [string, string | Record<string, string>][];
  for (const [group, value] of all) {
    const paths = names.filter(([first]) => first === group);
    if (paths.length === 0) continue;
    if (typeof value === 'string') needed[group] = value;
    else {
      const isWhole = paths.some(([, field]) => field === undefined || !Object.hasOwn(value, field));
      const fields = Object.entries(value).filter(([field]) => isWhole || paths.some(([, named]) => named === field));
      needed[group] = Object.fromEntries(fields);
    }
  }
  return needed;
}
