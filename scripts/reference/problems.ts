import { PROBLEM_BASE } from '../../shared/product.ts';
import { PROBLEMS } from '../../shared/problems.ts';
import { code, page, type ReferencePage } from './markdown.ts';

export function problemsPage(): ReferencePage {
  return page(
    'problems.md',
    'Problems',
    `Every error is a [problem document](schemas/problem.md) (RFC 9457). Its \`type\` is ${code(PROBLEM_BASE)}, a slash and the name. The guide [errors](../../resources/guides/errors.md) says what to do about each.`,
    Object.entries(PROBLEMS).flatMap(([name, { status, title }]) => [`## \`${name}\``, `Status ${status}. ${title}.`]),
  );
}
