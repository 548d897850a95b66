import Type from 'typebox';

/** Text with headings, lists and tables. */
export const MarkdownSchema = Type.Object(
  { markdown: Type.String({ description: 'The text, in Markdown.' }) },
  { title: 'Markdown', description: 'Text with headings, lists and tables.', additionalProperties: false },
);
