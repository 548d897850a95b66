// Who publishes Cuebook: the author and the home page of package.json, which a Debian package must name. Only the publisher
// knows them, so package.json has neither before the first release, and a release without them is refused.

/** As a Debian package names it. */
export interface Publisher {
  /** `NAME <ADDRESS>`. */
  maintainer: string;
  homepage: string;
}

/** The fields of package.json that name it. */
export interface PublisherFields {
  /** `NAME <ADDRESS>`, which npm also takes with a URL after it, or as an object. */
  author?: string | { name?: string; email?: string };
  homepage?: string;
}

/** For packages that are not released. Nobody gets mail there: RFC 2606 reserves the name. */
export const NOBODY: Publisher = {
  maintainer: 'Unreleased package <nobody@example.invalid>',
  homepage: 'http://example.invalid',
};

/** @returns a sentence for each field that is missing or incomplete */
export function missingOfPublisher(fields: PublisherFields): string[] {
  return [
    maintainerOf(fields.author) === undefined &&
      'package.json names no author with an address, which the Debian package names as its maintainer; add "author": "NAME <ADDRESS>".',
    !/^https:\/\/\S+$/.test(fields.homepage ?? '') &&
      'package.json names no home page, which the Debian package must name; add "homepage": "https://...".',
  ].filter((sentence) => sentence !== false);
}

/** @throws Error that says which fields of package.json are missing */
export function publisherOf(fields: PublisherFields): Publisher {
  const missing = missingOfPublisher(fields);
  const maintainer = maintainerOf(fields.author);
  if (maintainer === undefined || fields.homepage === undefined || missing.length > 0)
    throw new Error(missing.join('\n'));
  return { maintainer, homepage: fields.homepage };
}

function maintainerOf(author: PublisherFields['author'] = ''): string | undefined {
  const text = typeof author === 'string' ? author : `${author.name ?? ''} <${author.email ?? ''}>`;
  const { name, address } = /^(?<name>[^<>()]*[^<>()\s])\s*<(?<address>[^<>\s@]+@[^<>\s@]+)>/.exec(text)?.groups ?? {};
  return name === undefined ? undefined : `${name} <${address}>`;
}
