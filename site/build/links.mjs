import { posix } from 'node:path';

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
const OF_WEB = /^(?:https?|mailto):/i;

/**
 * What a link of a page means. `page`, and the path that is given, are from the root of the repository.
 * `web`: an address elsewhere. `file`: a path in the repository, and an anchor or null. `fault`: nothing of both.
 */
export function meaningOf(page, href) {
  if (OF_WEB.test(href)) return { kind: 'web' };
  if (SCHEME.test(href) || href.startsWith('/')) return { kind: 'fault' };
  const [written = '', anchor = ''] = href.split('#', 2);
  const path =
    written === '' ? page : posix.normalize(posix.join(posix.dirname(page), decodeURIComponent(written)));
  if (path.startsWith('..')) return { kind: 'fault' };
  return { kind: 'file', path: path.replace(/\/$/, ''), anchor: anchor === '' ? null : anchor };
}

/** The file that a page becomes. All lie side by side, so that every address between them is a name. */
export function fileNameOf(page, home) {
  if (page === home) return 'index.html';
  return `${flat(page.replace(/\.md$/, ''))}.html`;
}

/** The name of a picture, which changes with its content. */
export function pictureNameOf(path, hash) {
  const { dir, name, ext } = posix.parse(path);
  return `${flat(posix.join(dir, name))}-${hash}${ext.toLowerCase()}`;
}

function flat(path) {
  return path
    .replace(/^docs\//, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
