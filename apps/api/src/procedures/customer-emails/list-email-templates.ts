import { ListEmailTemplatesRequest, ListEmailTemplatesResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The versions of all templates (behaviour 29.4). */
export const listEmailTemplates = staffProcedure
  .input(ListEmailTemplatesRequest)
  .output(ListEmailTemplatesResponse)
  .query(({ ctx, input }) => domain.listEmailTemplates(ctx, input));
