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
