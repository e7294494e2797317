import { sendEmails } from '@causeway/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SlicesWorld, startSlices } from './start-slices.ts';

// Templates are programs that people write: whatever they do, nobody else waits for them.

let world: SlicesWorld;
beforeAll(async () => {
  world = await startSlices();
});
afterAll(() => world.stop());

const items = (count: number) => `{% assign x = "${'b,'.repeat(count)}" | split: "," %}`;
/** Each step is allowed: only all of them together take long. */
const STEP = `{% if x contains 'zz' %}x{% endif %}`;
const SLOW = `{% assign x = "${'b,'.repeat(40_000)}" %}{% for i in (1..1000) %}{% for j in (1..1000) %}${STEP}{% endfor %}{% endfor %}`;
const texts = (html: string) => ({ language: 'en', subject: 'Croeso', text: 'Croeso', html });
const invalid = (attr: string) => ({ data: { error: { code: 'email_template_invalid', errors: [{ attr }] } } });

const EXPRESSIONS = ['where_exp', 'find_exp', 'group_by_exp', 'reject_exp', 'has_exp', 'find_index_exp'];
const OF_LISTS = ['where', 'reject', 'group_by', 'has', 'find', 'find_index', 'map', 'sum', 'sort', 'sort_natural'];

describe('filters', () => {
  test.each([...EXPRESSIONS, ...OF_LISTS, ...['uniq', 'compact', 'sample']])(
    '29.4.5 a template with %s is refused, and the sentence says so',
    async (filter) => {
      const { code } = await world.createSupplier();
      const { emailTemplates } = world.service.staff;
      const html = `${items(2)}{{ x | ${filter}: "i", "x contains 'zz'" | size }}`;
      for (const call of [emailTemplates.set, emailTemplates.preview]) {
        const answer = call.mutate({ code, ...texts(html) });
        await expect(answer).rejects.toMatchObject(invalid('html'));
        await expect(answer).rejects.toThrow(`there is no filter ${filter} for templates`);
      }
    },
  );
});

describe('time', () => {
  test('29.4.2 a preview that takes long keeps nobody waiting, and is ended', async () => {
    const { code } = await world.createSupplier();
    const { preview } = world.service.staff.emailTemplates;
    let isOver = false;
    const slow = preview.mutate({ code, ...texts(SLOW) }).finally(() => {
      isOver = true;
    });
    slow.catch(() => undefined);
    let answered = 0;
    while (!isOver) {
      expect((await fetch(`${world.service.url}/healthz`)).status).toBe(200);
      answered += 1;
    }
    // On a busy machine it does not get the time to take too long.
    await expect(slow).rejects.toThrow(/takes too long|could not be tried now/);
    // More than those that are answered before a preview begins.
    expect(answered).toBeGreaterThan(20);
    await expect
      .poll(() => preview.mutate({ code, ...texts('{{ customer.given_name }}') }))
      .toMatchObject({ html: 'Zoë' });
  });

  test('29.4.4 who has values for which a template takes too long gets the text of the service, which is told', async () => {
    const { staff } = world.service;
    const supplier = await world.createSupplier();
    const html = `{% if customer.title == '' %}${SLOW}{% endif %}Croeso`;
    await staff.emailTemplates.set.mutate({ code: supplier.code, ...texts(html) });
    const [slow = ''] = await world.move(supplier, 1);
    const [quick = ''] = await world.move(supplier, 1, { title: 'Ms' });
    const sent = await sendEmails(world.sender(), supplier.code);
    expect([sent.counts, sent.withOwnText]).toEqual([{ SENT: 2 }, 1]);
    expect(String(sent.notRendered)).toMatch(/takes too long/);
    const { code } = supplier;
    const listed = await staff.customerEmails.listOfSupplier.query({ code, state: 'SENT' });
    const told = listed.map(({ id, template_version, template_failure }) => ({
      id,
      template_version,
      template_failure,
    }));
    const [of, other] = [await world.stateOf(slow), await world.stateOf(quick)];
    expect(told).toEqual(
      expect.arrayContaining([
        { id: of.id, template_version: 0, template_failure: 'TAKES_TOO_LONG' },
        { id: other.id, template_version: 1, template_failure: null },
      ]),
    );
  });
});

const UNANSWERED = ['out_of_time', 'out_of_memory', 'failed'] as const;

test.each(UNANSWERED)('29.4.4 an e-mail whose rendering ended as %s waits, and is sent later', async (unanswered) => {
  const supplier = await world.createSupplier();
  const [to = ''] = await world.move(supplier, 1);
  const sending = world.sender();
  const templates = { timeoutMs: 1, render: async () => ({ unanswered }), close: async () => undefined };
  const sent = await sendEmails({ ...sending, templates }, supplier.code);
  expect([sent.counts, sent.unrendered, sent.withOwnText]).toEqual([{ UNRENDERED: 1 }, unanswered, 0]);
  expect(await world.stateOf(to)).toMatchObject({ state: 'QUEUED', attempts: 0, template_failure: null });
  expect(world.mailServer.attempts(to)).toBe(0);
  sending.moveOn(60_000);
  expect((await sendEmails(sending, supplier.code)).counts).toEqual({ SENT: 1 });
});

test('29.4.4 a template may need much memory however many others were rendered before it', async () => {
  const { preview } = world.service.staff.emailTemplates;
  const { code } = await world.createSupplier();
  const long = (index: number) => `${index} ${'{{1}}'.repeat(19_900)}`;
  for (let index = 0; index < 8; index += 1) {
    const { html } = await preview.mutate({ code, ...texts(long(index)) });
    expect(html.startsWith(String(index))).toBe(true);
  }
});
