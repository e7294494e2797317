import { errorsPage } from '../../src/openapi/errors-page.ts';

const PAGE = errorsPage();

/** The fault of an error's documentation URL: none if it leads to the code's own anchor on the page. */
export function problemsOfDocumentationUrl(code: unknown, url: unknown): string[] {
  const [page, anchor] = String(url).split('#');
  if (page !== '/docs/errors' || anchor !== code) return [`the documentation of ${code} is said to be at ${url}`];
  const places = PAGE.split(`<section id="${anchor}">`).length - 1;
  return places === 1 ? [] : [`the page of errors has ${places} places for ${code}`];
}
