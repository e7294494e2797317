import { createTemplateRenderer, type RendererSettings, type TemplateRenderer } from '@causeway/domain';
import { buildInfo } from '../build-info.ts';

const FILE = buildInfo.isBuilt ? '../../../../service/render-thread.js' : './render-thread.ts';
const ENTRY = new URL(FILE, import.meta.url);

/** Renders the templates of e-mails in threads of this process, which begin when there is something to render. */
export function openTemplateRenderer(settings: Omit<RendererSettings, 'entry'> = {}): TemplateRenderer {
  return createTemplateRenderer({ entry: ENTRY, ...settings });
}
