import { LIMITS } from '@causeway/contracts';
import type { Context as DomainContext } from '@causeway/domain';
import type { Context } from '../http/context.ts';

interface Page<Item> {
  records: Item[];
  next?: object | undefined;
}

/** The resolver of a list: answers the page's records, and notes where the next page begins. */
export function answerPage<Input, Item>(list: (context: DomainContext, input: Input) => Promise<Page<Item>>) {
  return async ({ ctx, input }: { ctx: Context; input: Input }): Promise<Item[]> => {
    const { records, next } = await list(ctx, input);
    ctx.response.nextPage = next && { ...next };
    ctx.response.isEmptyPage = records.length === 0;
    return records;
  };
}

interface PageRequest {
  limit?: number | undefined;
}

/**
 * The resolver of a list of the service team: notes where the next page begins, if there is one. To know, it asks for
 * one record more than the page has. `afterOf`: what `after` is for the page behind a record.
 */
export function answerRecords<Input extends PageRequest, Item>(
  list: (context: DomainContext, input: Input) => Promise<Item[]>,
  afterOf: (record: Item) => string,
) {
  return async ({ ctx, input }: { ctx: Context; input: Input }): Promise<Item[]> => {
    const { limit = LIMITS.list_default } = input;
    const records = await list(ctx, { ...input, limit: limit + 1 });
    const page = records.slice(0, limit);
    const last = page.at(-1);
    if (records.length > limit && last !== undefined) ctx.response.nextPage = { after: afterOf(last) };
    return page;
  };
}
