import { Typography } from '@mantine/core';
import type { ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import './markdown.css';

const COMPONENTS = { a: ExternalLink };

/** Markdown of a document or a run, without HTML, scripts and images. Links open in a new tab. */
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

/** The text is not trusted: the link shows its address and opens in a new tab. */
function ExternalLink({ href = '', children }: { href?: string | undefined; children?: ReactNode }) {
  if (!/^(https?|mailto):/i.test(href)) return children;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
