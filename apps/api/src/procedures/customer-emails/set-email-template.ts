import { EmailTemplate, SetEmailTemplateRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Sets the template of a language, as its next version (behaviour 29.4). */
export const setEmailTemplate = staffProcedure
  .input(SetEmailTemplateRequest)
  .output(EmailTemplate)
  .mutation(({ ctx, input }) => domain.setEmailTemplate(ctx, input));
