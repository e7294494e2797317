import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HAS_BROWSER, launchBrowser, obstacles } from '@causeway/testing/browser';
import express from 'express';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocsRouter } from '../../src/openapi/docs-page.ts';
import { publishedDocument, publishedOperations } from '../support/published-document.ts';

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };

let server: Server;
let browser: Browser;
let page: Page;
const asked: string[] = [];
const errors: string[] = [];

const widthOf = (one: Page) => one.evaluate<number>('document.documentElement.scrollWidth');
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.skipIf(!HAS_BROWSER)('in a browser', () => {
  beforeAll(async () => {
    server = express().use(createDocsRouter()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: DESKTOP });
    page.setDefaultTimeout(600_000);
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${origin()}/docs`);
    await page.getByRole('heading', { name: 'The order of calls' }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  });

  test('7 the reference page shows the guide with its tables', async () => {
    for (const heading of ['Authentication', 'Errors', 'Sending a request again', 'Limits', 'Error codes']) {
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
    }
    await page.getByRole('cell', { name: 'account_import_process_already_imported' }).first().waitFor();
    await page.getByRole('cell', { name: 'CW-1101' }).first().waitFor();
  });

  test('13.2.3 the reference page opens with every operation in sight', async () => {
    const links = page.getByRole('complementary').getByRole('link', { name: /HTTP Method:/ });
    const webhooks = Object.keys(publishedDocument.webhooks ?? {});
    expect(await links.count()).toBe(publishedOperations().length + webhooks.length);
  });

  test('13.2.3 the field for a token asks for a token', async () => {
    expect(await page.getByPlaceholder('The token that ObtainToken returned').count()).toBe(1);
  });

  test('7 the reference page leads to every operation, with its request ready to paste', async () => {
    const sidebar = page.getByRole('complementary');
    for (const { name } of publishedDocument.tags ?? []) {
      const group = sidebar.getByRole('button', { name: `Group - ${name}`, exact: false }).last();
      if ((await group.getAttribute('aria-expanded')) !== 'true') await group.click();
    }
    for (const { operation, method } of publishedOperations()) {
      const name = `${operation.summary} HTTP Method: ${method.toUpperCase()}`;
      await sidebar.getByRole('link', { name, exact: true }).waitFor();
    }
    await sidebar.getByRole('link', { name: 'Import notes HTTP Method: POST' }).click();
    const heading = page.getByRole('heading', { name: 'Import notes', exact: true });
    const section = page.locator('section', { has: heading });
    await section.getByText('"NORTHWIND-2026"').first().waitFor();
    await section.getByText('Authorization: YOUR_SECRET_TOKEN').first().waitFor();
  });

  test('2.10.26 the account has all its fields at a click, and what they contain folded', async () => {
    const sidebar = page.getByRole('complementary');
    await sidebar.getByRole('link', { name: 'Stage account HTTP Method: POST' }).click();
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Stage account', exact: true }) });
    await section.last().getByRole('button', { name: 'Show all fields' }).first().click();
    for (const field of ['customers', 'supply_addresses', 'debts', 'transactions', 'payment_instruction']) {
      await section.last().getByText(field, { exact: true }).first().waitFor();
    }
    expect(await section.last().getByText('meter_serial_number', { exact: true }).count()).toBe(0);
    await sidebar.getByRole('link', { name: 'Import notes HTTP Method: POST' }).click();
  });

  test('13.5.2 axe finds no obstacle in the reference page with an operation open, on a desktop in the light', async () => {
    expect(await obstacles(page)).toEqual([]);
  });

  test('13.5.1 13.5.2 the reference page does not scroll sideways on a phone, and axe finds no obstacle in the dark', async () => {
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('.dark-mode').first().waitFor();
    expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.width);
    const operation = page.getByRole('heading', { name: 'Import notes', exact: true });
    await operation.scrollIntoViewIfNeeded();
    expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.width);
    // The whole page has been looked at in the light, and takes axe ten seconds: in the dark only colours differ.
    const id = await page.locator('section', { has: operation }).last().getAttribute('id');
    expect(await obstacles(page, { within: `[id=${JSON.stringify(id)}]` })).toEqual([]);
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('13.2 the reference page sends a request as it stands there without an Idempotency-Key of its own', async () => {
    const heading = page.getByRole('heading', { name: 'Import notes', exact: true });
    const section = page.locator('section', { has: heading });
    await section
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: /^Send/ }).first().click();
    const headers = await (await sent).allHeaders();
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('idempotency-key');
    errors.length = 0; // nothing answers this request here
  });

  test('7 the reference page asks nothing of anybody else, and has no errors', () => {
    expect(asked.filter((url) => !url.startsWith(origin()) && !/^(?:data|blob):/.test(url))).toEqual([]);
    expect(asked.length).toBeGreaterThan(3);
    expect(errors).toEqual([]);
  });

  test('13.3.1 where the documentation of an error lies is shown on a phone, without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
    const phone = await context.newPage();
    await phone.goto(`${origin()}/docs/errors#concurrency_limit_exceeded`);
    const place = phone.locator('#concurrency_limit_exceeded');
    await place.getByText('with fewer concurrent requests').waitFor();
    const box = await place.boundingBox();
    expect(box?.y).toBeLessThan(844);
    expect(box?.y).toBeGreaterThanOrEqual(0);
    // One call for all of them: there are some hundred.
    const rights = await phone
      .locator('section')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right));
    expect(rights.length).toBeGreaterThan(50);
    expect(Math.max(...rights)).toBeLessThanOrEqual(390);
  });

  test.each(['/', '/cli/', '/docs/errors'])(
    '13.5.1 13.5.2 %s does not scroll sideways, and axe finds no obstacle',
    async (path) => {
      const plain = await browser.newPage({ viewport: PHONE });
      await plain.goto(origin() + path);
      await plain.evaluate("document.querySelectorAll('details').forEach((example) => { example.open = true; })");
      for (const [colorScheme, viewport] of [
        ['dark', PHONE],
        ['light', DESKTOP],
      ] as const) {
        await plain.emulateMedia({ colorScheme });
        await plain.setViewportSize(viewport);
        expect(await widthOf(plain)).toBeLessThanOrEqual(viewport.width);
        // The pages share their colours: the longer one is looked at in the dark only, since axe takes seconds for it.
        if (path === '/' || colorScheme === 'dark') expect(await obstacles(plain)).toEqual([]);
      }
    },
  );
});
