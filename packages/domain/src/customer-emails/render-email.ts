import type { TemplateFailure } from '@causeway/contracts';
import type { Unanswered } from '../ask-thread.ts';
import { type ChosenTemplate, DEFAULT_TEMPLATE } from './choose-template.ts';
import type { EmailTexts, TemplateValues } from './email-texts.ts';
import type { Rendered, TemplateRenderer } from './template-renderer.ts';

/** An e-mail's texts, or why they are not ready, which is not known to be the fault of a template. */
export type RenderedEmail = ({ texts: EmailTexts } | { unanswered: Unanswered }) & {
  template: ChosenTemplate;
  /** Why the supplier's template was not used (behaviour 29.4). */
  failure: TemplateFailure | null;
};

/**
 * A template that was tried when it was set may fail for other values: nobody goes without the message for that, but gets the
 * service's own. Only what is the template's own fault counts as that, and not that a machine is busy.
 */
export async function renderEmail(
  renderer: TemplateRenderer,
  template: ChosenTemplate,
  { code, values }: { code: string; values: TemplateValues },
): Promise<RenderedEmail> {
  const begunAt = performance.now();
  const rendered = await renderer.render(template, values, { code });
  if ('texts' in rendered) return { ...rendered, template, failure: null };
  const failure = failureOf(rendered);
  if (failure === undefined) return { unanswered: unansweredOf(rendered), template, failure: null };
  const timeoutMs = Math.max(0, renderer.timeoutMs - (performance.now() - begunAt));
  const own = await renderer.render(DEFAULT_TEMPLATE, values, { code, timeoutMs });
  if ('texts' in own) return { ...own, template: DEFAULT_TEMPLATE, failure };
  return { unanswered: unansweredOf(own), template, failure: null };
}

function failureOf(rendered: Rendered): TemplateFailure | undefined {
  if ('faults' in rendered) return 'CANNOT_BE_RENDERED';
  return 'unanswered' in rendered && rendered.unanswered === 'out_of_cpu_time' ? 'TAKES_TOO_LONG' : undefined;
}

const unansweredOf = (rendered: Rendered): Unanswered => ('unanswered' in rendered ? rendered.unanswered : 'failed');
