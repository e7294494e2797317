import { EmailPreview, PreviewEmailTemplateRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** What an invented customer would get (behaviour 29.4): a mutation, because its texts are too long for a URL. */
export const previewEmailTemplate = staffProcedure
  .input(PreviewEmailTemplateRequest)
  .output(EmailPreview)
  .mutation(({ ctx, input }) => domain.previewEmailTemplate(ctx, input));
