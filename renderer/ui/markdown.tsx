import { Typography } from '@mantine/core';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

/** Markdown of a document or a run: no HTML, no scripts, no pictures from elsewhere. */
export function Markdown({ text }: { text: string }) {
  return (
    <Typography className="markdown">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={[rehypeSanitize]} disallowedElements={['img']}>
        {text}
      </ReactMarkdown>
    </Typography>
  );
}
