import { Typography } from '@mantine/core';
import type { ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

const COMPONENTS = { a: OutwardLink };

/** Markdown of a document or a run: no HTML, no scripts, no pictures from elsewhere, and no link that takes the studio's place. */
export function Markdown({ text }: { text: string }) {
  return (
    <Typography className="markdown">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        disallowedElements={['img']}
        components={COMPONENTS}
      >
        {text}
      </ReactMarkdown>
    </Typography>
  );
}

/** Whoever wrote the text may have written anything there: the link says where it leads and opens beside the studio. */
function OutwardLink({ href = '', children }: { href?: string | undefined; children?: ReactNode }) {
  if (!/^(https?|mailto):/i.test(href)) return children;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
