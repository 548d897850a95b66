/** A page of the documentation: one Markdown file. */
export interface Page {
  /** Its path, for example `/workflows`; the path of a `README.md` is that of its folder. */
  path: string;
  /** The path of its Markdown, for example `/workflows.md`. */
  markdownPath: string;
  /** Its first heading. */
  title: string;
  /** Its first paragraph as plain text. */
  description: string;
  /** The other headings. */
  headings: readonly Heading[];
  /** Everything except the headings, as plain text. */
  text: string;
  links: readonly Link[];
  pictures: readonly Picture[];
  /** The Markdown; its links are relative to `markdownPath`. */
  markdown: string;
}

export interface Heading {
  text: string;
  /** The fragment of its address, without `#`. */
  anchor: string;
}

/** A link to another page, to a heading of the same page, or to another site. */
export interface Link {
  /** As written in `markdown`. */
  href: string;
  /** The page that it leads to; undefined if it is not a page. */
  page: string | undefined;
  anchor: string | undefined;
}

/** A picture in the page. */
export interface Picture {
  /** As written in `markdown`. */
  href: string;
  /** Its path, for example `/images/home.webp`; undefined if the file does not exist. */
  path: string | undefined;
  /** Its file on this machine. */
  file: string;
}
