import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';

const drawn = (text: string): string =>
  renderToStaticMarkup(createElement(MantineProvider, null, createElement(Markdown, { text })));

test('a link opens in a new tab and shows its address', () => {
  expect(drawn('[Sign in](https://example.com/a)')).toContain(
    '<a href="https://example.com/a" title="https://example.com/a" target="_blank" rel="noopener noreferrer">Sign in</a>',
  );
});

test.each(['[Go](#/playbooks/desk)', '[Go](/connect?token=x)', '[Go](javascript:alert(1))', 'Go[^1]\n\n[^1]: There'])(
  'a link into the studio, or to a script, is plain text: %s',
  (text) => {
    const html = drawn(text);
    expect(html).toContain('Go');
    expect(html).not.toContain('<a ');
  },
);
