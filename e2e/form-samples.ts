// Schemas of inputs, what is typed into their forms, and what is sent.
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible } from './studio.ts';
import { typeInto } from './writing.ts';

export const text = { type: 'string' };
export const number = { type: 'number' };
export const kind = (value: string, properties: object) => ({
  properties: { kind: { const: value }, ...properties },
  required: ['kind', ...Object.keys(properties)],
});

export interface Form {
  name: string;
  schema: object;
  /** @param local a number in the notation of the language */
  enter: (form: Writing, local: (value: number) => string) => Promise<unknown>;
  sent: unknown;
}

export interface Writing {
  page: Page;
  panel: Locator;
  type: (field: string, written: string) => Promise<void>;
  choose: (field: string, option: string) => Promise<void>;
  press: (button: string | RegExp) => Promise<void>;
  check: (box: string) => Promise<void>;
}

export const FORMS: readonly Form[] = [
  {
    name: 'numbers',
    schema: {
      type: 'object',
      properties: {
        amount: { type: 'number', minimum: 0, maximum: 100 },
        other: number,
        whole: { type: 'integer' },
        set: { type: 'number', default: 0.25 },
        list: { type: 'array', items: number },
        inner: {
          type: 'object',
          properties: { low: { type: ['number', 'null'] }, none: { type: ['number', 'null'] } },
        },
        either: { oneOf: [number, text] },
        level: { enum: [1.5, 2] },
      },
      additionalProperties: number,
    },
    async enter({ page, panel, type, choose, press }, local) {
      await expect(panel.getByRole('textbox', { name: 'set' })).toHaveValue(local(0.25));
      // A value out of bounds stays as it is, also when the field is left and by wheel and arrow keys.
      await type('amount', '101');
      await page.keyboard.press('ArrowUp');
      await page.mouse.wheel(0, 20);
      await page.keyboard.press('Tab');
      await expect(panel.getByText(`Must be at most ${local(100)}.`)).toBeVisible();
      await expect(panel.getByRole('textbox', { name: 'amount' })).toHaveValue('101');
      // A text that is no number cannot be sent.
      await type('amount', '19 pounds');
      await expect(panel.getByText('This is not a number.')).toBeVisible();
      await expect(panel.getByRole('button', { name: /^Run/ })).toBeDisabled();
      await panel.getByText('JSON', { exact: true }).click();
      await panel.getByText('Form', { exact: true }).click();
      await expect(panel.getByRole('textbox', { name: 'amount' })).toHaveValue('19 pounds');
      await type('amount', '19,99');
      await type('other', '-1.999,50');
      await type('whole', '5,0');
      await press('Add an item to list');
      await press('Add an item to list');
      await type('list 1', local(0.5));
      await type('list 2', '1e3');
      await type('low', '.5');
      await panel.getByRole('checkbox', { name: 'No value (null) for none' }).click();
      await choose('Kind of either', 'Number');
      await type('either', '٧٫٥');
      await choose('level', local(1.5));
      await type('Name of a new field of Input', 'constructor');
      await page.keyboard.press('Enter');
      await type('constructor', '1 000');
    },
    sent: {
      amount: 19.99,
      other: -1999.5,
      whole: 5,
      set: 0.25,
      list: [0.5, 1000],
      inner: { low: 0.5, none: null },
      either: 7.5,
      level: 1.5,
      constructor: 1000,
    },
  },
  {
    name: 'times',
    schema: {
      type: 'object',
      required: ['when'],
      properties: {
        when: { type: 'string', format: 'date-time' },
        picked: { type: 'string', format: 'date-time' },
        at: { type: 'string', format: 'time' },
        on: { type: 'string', format: 'date' },
        day: { type: 'string', format: 'date' },
      },
    },
    async enter({ page, panel, type, press }) {
      await type('on', '1 May');
      await expect(panel.getByText('Write the date as year-month-day, such as 2026-05-01.')).toBeVisible();
      await page.keyboard.press('Tab');
      await expect(panel.getByRole('textbox', { name: 'on' })).toHaveValue('1 May');
      await expect(panel.getByRole('button', { name: /^Run/ })).toBeDisabled();
      await type('on', '2026-5-1');
      await type('when', '2026-11-15 07:30');
      await expect(panel.getByText('Sent as 2026-11-15T07:30:00+01:00')).toBeVisible();
      await type('at', '07:30Z');
      await type('day', '2026-05-01');
      await press('Choose a date for day');
      await page.getByRole('dialog').getByRole('button', { name: '21 May 2026' }).click();
      await expect(panel.getByRole('textbox', { name: 'day' })).toHaveValue('2026-05-21');
      await type('picked', '2026-7-1 9:00');
      await press('Choose a date and a time for picked');
      await page.getByRole('dialog').getByRole('button', { name: '2 July 2026', exact: true }).click();
      await page.getByRole('dialog').getByLabel('Time').fill('10:15');
      await page.keyboard.press('Escape');
    },
    sent: {
      on: '2026-05-01',
      when: '2026-11-15T07:30:00+01:00',
      at: '07:30:00Z',
      day: '2026-05-21',
      picked: '2026-07-02T10:15:00+02:00',
    },
  },
  {
    name: 'rules',
    schema: {
      type: 'object',
      required: ['agreed', 'sure', 'version', 'toString'],
      properties: {
        card: text,
        agreed: { type: 'boolean' },
        sure: { type: 'boolean', const: true },
        version: { const: 2 },
        toString: text,
        colour: {
          oneOf: [
            { const: 'r', title: 'Red' },
            { const: 'g', title: 'Green' },
          ],
        },
        maybe: { enum: ['yes', null] },
        pair: { type: 'array', prefixItems: [text, number], items: false },
        paid: { oneOf: [kind('cash', { change: number }), kind('iban', { code: text })] },
        rows: { type: 'array', items: { type: 'object', properties: { tags: { type: 'array', items: text } } } },
        size: { $ref: '#/$defs/size' },
        data: {},
        long: { type: 'string', description: 'Any `text`.' },
        mixed: { enum: [1, '1'] },
        since: { type: 'string', readOnly: true, default: 'May' },
        etag: { type: 'string', readOnly: true },
        prices: { type: 'object', additionalProperties: number },
      },
      dependentSchemas: { card: { properties: { billing: text }, required: ['billing'] } },
      if: { properties: { agreed: { const: false } }, required: ['agreed'] },
      then: { properties: { reason: text }, required: ['reason'] },
      $defs: { size: { enum: ['s', 'm'] } },
    },
    async enter({ page, panel, type, choose, press }) {
      await expect(panel.locator('code', { hasText: 'text' })).toBeVisible();
      await type('card', '42');
      await type('billing', 'Ann');
      await press('No');
      await type('reason', 'Too late');
      await press('Yes');
      await expect(panel.getByRole('textbox', { name: 'reason' })).toBeHidden();
      await press('No');
      await expect(panel.getByRole('textbox', { name: 'reason' })).toHaveValue('Too late');
      await panel.getByRole('checkbox', { name: 'sure' }).click();
      await type('toString', 'own');
      await choose('colour', 'Green');
      await choose('maybe', 'null');
      await type('pair 1', 'a');
      await type('pair 2', '2');
      await choose('Kind of paid', 'cash');
      await type('change', '1.5');
      await press('Add an item to rows');
      await press('Add an item to tags');
      await type('tags 1', 'x');
      await choose('size', 'm');
      await type('data', '{ "a": [1] }');
      await type('long', 'one');
      await page.keyboard.press('Enter');
      await page.keyboard.type('two');
      await choose('mixed', '"1"');
      await expect(panel.getByRole('textbox', { name: 'since' })).toBeDisabled();
      await expect(panel.getByRole('textbox', { name: 'etag' })).toHaveCount(0);
      await type('Name of a new field of prices', 'apple');
      await page.keyboard.press('Enter');
      await page.keyboard.type('1,5');
    },
    sent: {
      version: 2,
      card: '42',
      billing: 'Ann',
      agreed: false,
      reason: 'Too late',
      sure: true,
      toString: 'own',
      colour: 'g',
      maybe: null,
      pair: ['a', 2],
      paid: { kind: 'cash', change: 1.5 },
      rows: [{ tags: ['x'] }],
      size: 'm',
      data: { a: [1] },
      long: 'one\ntwo',
      mixed: '1',
      since: 'May',
      prices: { apple: 1.5 },
    },
  },
  {
    name: 'tree',
    schema: {
      type: 'object',
      required: ['name'],
      properties: { name: text, children: { type: 'array', items: { $ref: '#' } }, next: { $ref: '#/$defs/maybe' } },
      $defs: {
        maybe: { anyOf: [{ $ref: '#/$defs/link' }, { type: 'null' }] },
        link: {
          type: 'object',
          required: ['value', 'next'],
          properties: { value: number, next: { $ref: '#/$defs/maybe' } },
        },
      },
    },
    async enter({ page, panel, press }) {
      await panel.getByText('JSON', { exact: true }).click();
      await panel.getByRole('textbox', { name: 'Input as JSON' }).fill(JSON.stringify(treeOf('abcdefg')));
      await panel.getByText('Form', { exact: true }).click();
      const last = (field: string) => panel.getByRole('textbox', { name: field, exact: true }).last();
      await expect(last('name')).toHaveValue('e');
      await expect(last('children 1')).toHaveValue(/"name": "f"/);
      // What is half written stays: the fields cannot show it.
      const whole = await last('children 1').inputValue();
      await typeInto(last('children 1'), '{ "name": ');
      await expect(panel.getByRole('button', { name: 'Show the fields of children 1' })).toBeDisabled();
      await last('children 1').fill(whole);
      await press('Show the fields of children 1');
      await expect(last('name')).toHaveValue('g');
      await panel.getByRole('button', { name: 'Add an item to children' }).first().click();
      await typeInto(last('name'), 'h');
      await panel.getByRole('button', { name: 'Add an item to children' }).last().click();
      await typeInto(last('name'), 'i');
      await panel.getByRole('button', { name: 'Add next' }).last().click();
      await typeInto(last('value'), '1');
      await panel.getByRole('button', { name: 'Add next' }).last().click();
      await typeInto(last('value'), '2');
      await expectAccessible(page);
    },
    sent: {
      name: 'a',
      children: [treeOf('bcdefgh'), { name: 'i' }],
      next: { value: 1, next: { value: 2, next: null } },
    },
  },
];

/** A chain of names, each inside the one before. */
function treeOf(names: string): object {
  const [name, ...rest] = names;
  return rest.length === 0 ? { name } : { name, children: [treeOf(rest.join(''))] };
}

export function writingOf(page: Page, panel: Locator): Writing {
  return {
    page,
    panel,
    type: (field, written) => typeInto(panel.getByRole('textbox', { name: field, exact: true }), written),
    async choose(field, option) {
      await panel.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    },
    check: (box) => panel.getByRole('checkbox', { name: box, exact: true }).click(),
    press: (button) => panel.getByRole('button', { name: button, exact: typeof button === 'string' }).click(),
  };
}
