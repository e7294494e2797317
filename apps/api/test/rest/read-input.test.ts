import { expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { readInput } from '../../src/rest/read-input.ts';
import { type Route, routesOf } from '../../src/rest/routes.ts';

const route = routesOf(appRouter).find(({ queryParameters }) => queryParameters.has('limit')) as Route;

/** Query parameters that count how many of them were looked at. */
class CountedParameters extends URLSearchParams {
  looks = 0;

  override getAll(name: string): string[] {
    this.looks += this.size;
    return super.getAll(name);
  }

  override get(name: string): string | null {
    this.looks += this.size;
    return super.get(name);
  }

  override has(name: string): boolean {
    this.looks += this.size;
    return super.has(name);
  }

  override keys() {
    this.looks += this.size;
    return super.keys();
  }

  override [Symbol.iterator]() {
    this.looks += this.size;
    return super[Symbol.iterator]();
  }
}

const read = (query: URLSearchParams) => readInput(route, { body: {}, query, pathParameters: {} });

test('2.2 however many query parameters there are, each is looked at once', () => {
  const names = Array.from({ length: 4_000 }, (_, index) => `n${index}`);
  const query = new CountedParameters(`${names.join('&')}&limit=5`);
  expect(read(query)).toEqual({ input: { limit: 5 }, undocumentedFields: names });
  expect(query.looks).toBe(query.size);
});

test('2.2 an undocumented parameter is named once however often it is given, a documented one given twice is refused', () => {
  expect(read(new URLSearchParams('x=1&x=2&limit=3'))).toEqual({ input: { limit: 3 }, undocumentedFields: ['x'] });
  expect(() => read(new URLSearchParams('limit=3&after=a&limit=4&after=b'))).toThrow(
    expect.objectContaining({
      code: 'request_failed_validation',
      errors: ['limit', 'after'].map((attr) => expect.objectContaining({ code: 'invalid', attr })),
    }),
  );
});

test.each([
  ['5', 5],
  ['5.5', 5.5],
  ['5.0', '5.0'],
  ['1000.000000000000001', '1000.000000000000001'],
  ['5e1', '5e1'],
])('4.12.2 limit=%s is a whole number only without a fraction', (sent, limit) => {
  expect(read(new URLSearchParams({ limit: sent })).input).toEqual({ limit });
});
