import { expect } from 'vitest';
import type { RestAnswer, TestSupplier } from './test-service.ts';

/** The pages that a client gets that follows `Link` to the end. */
export async function followPages({ get }: Pick<TestSupplier, 'get'>, first: string): Promise<RestAnswer['body'][]> {
  const pages: RestAnswer['body'][] = [];
  for (let next: string | undefined = first; next !== undefined; ) {
    const { status, body, headers } = await get(next);
    expect(status).toBe(200);
    pages.push(body);
    next = /^<\/v1\/data-import\/([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
  }
  return pages;
}
