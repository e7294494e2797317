import { EmailTemplate, GetEmailTemplateRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The template that an account gets, or one version (behaviour 29.4). */
export const getEmailTemplate = staffProcedure
  .input(GetEmailTemplateRequest)
  .output(EmailTemplate)
  .query(({ ctx, input }) => domain.getEmailTemplate(ctx, input));
