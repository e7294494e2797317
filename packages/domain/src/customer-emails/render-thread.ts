import { parentPort } from 'node:worker_threads';
import type { EmailTexts, TemplateValues, TextFault } from './email-texts.ts';
import { namesOf, renderTexts } from './render-template.ts';

/** What a thread is asked: which values the texts need, or to render them with those. `isNew`: nobody has stored them. */
export type RenderRequest = { texts: EmailTexts; isNew: boolean; values?: Partial<TemplateValues> };
export type RenderAnswer = { texts: EmailTexts } | { names: string[][] } | { faults: TextFault[] };

/** Renders templates in this thread, one after the other, until whoever asks ends it. */
export function answerRenderRequests(): void {
  parentPort?.on('message', ({ texts, isNew, values }: RenderRequest) => {
    const answer: RenderAnswer = values === undefined ? namesOf(texts, isNew) : renderTexts(texts, values, isNew);
    parentPort?.postMessage(answer);
  });
  parentPort?.postMessage('ready');
}
