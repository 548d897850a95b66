/** A page of the documentation: one Markdown file. */
export interface Page {
  /** Where it stands, for example `/workflows`; a folder's `README.md` is the folder itself. */
  path: string;
  /** Where its Markdown stands, for example `/workflows.md`. */
  markdownPath: string;
  /** Its first heading. */
  title: string;
  /** Its first paragraph, in plain words. */
  description: string;
  /** The other headings. */
  headings: readonly Heading[];
  /** Everything but the headings, in plain words. */
  text: string;
  links: readonly Link[];
  pictures: readonly Picture[];
  /** The Markdown; its links lead to other pages from where `markdownPath` stands. */
  markdown: string;
}

export interface Heading {
  text: string;
  /** What an address puts behind `#` to come here. */
  anchor: string;
}

/** A link to another page, to a part of this one, or elsewhere. */
export interface Link {
  /** As `markdown` has it. */
  href: string;
  /** The page it leads to; undefined where that is none. */
  page: string | undefined;
  anchor: string | undefined;
}

/** A picture that the page shows. */
export interface Picture {
  /** As `markdown` has it. */
  href: string;
  /** Where it is served, for example `/images/home.webp`; undefined where there is no such file. */
  path: string | undefined;
  /** Its file on this machine. */
  file: string;
}
