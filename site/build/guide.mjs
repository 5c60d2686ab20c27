import { fileNameOf, meaningOf, pictureNameOf } from './links.mjs';
import { hashOf } from './hash.mjs';
import { layoutOf } from './layout.mjs';
import { readMarkdown } from './markdown.mjs';
import { navigationGroups } from './navigation-groups.mjs';
import { pictureFaultOf, pictureSizeOf } from './picture.mjs';
import { searchIndexOf } from './search-index.mjs';

const PICTURE = /\.(?:svg|png|webp)$/i;

/**
 * The guide as files, `[{ name, bytes }]`, with what is wrong with its pages, as sentences.
 *
 * 1. A link leads to a page, and to an anchor, that there is; or it is a fault.
 * 2. A link to any other file of the repository leads to `repository`, and is a text where that is null.
 * 3. Nothing is loaded from elsewhere: a picture is a file of the repository, and becomes one of the guide.
 *
 * `pages`: Markdown by its path from the root of the repository. `pictureOf(path)`: the bytes of a file, or null. `isThere(path)`:
 * whether the repository has it. `navigation`: as `NAVIGATION` of site/navigation.mjs. `scripts`: `{ theme, guide, style }`, names of files.
 */
export function guideOf({ pages, pictureOf, isThere, repository, navigation, scripts, version }) {
  const { home, groups: listed, rest, notSearched } = navigation;
  const faults = [];
  const names = namesOf([...pages.keys()], home, faults);
  const pictures = new Map();
  const links = [];

  const read = [...pages].map(([path, text]) => {
    const fault = (sentence) => faults.push(`${path}: ${sentence}`);
    const linkTo = (href) => {
      const { kind, path: target, anchor } = meaningOf(path, href);
      if (kind === 'web') return href;
      if (kind === 'fault') fault(`${href} is no link that the guide can follow`);
      else if (names.has(target)) {
        links.push({ path, href, target, anchor });
        return `${target === path ? '' : addressOf(names.get(target))}${anchor === null ? '' : `#${anchor}`}`;
      } else if (!isThere(target)) fault(`there is no ${target}`);
      else if (repository !== null) return `${repository}${target}${anchor === null ? '' : `#${anchor}`}`;
      return null;
    };
    const pictureAt = (href) => {
      const { kind, path: target } = meaningOf(path, href);
      const bytes = kind === 'file' && PICTURE.test(target) ? pictureOf(target) : null;
      if (bytes === null) {
        fault(`${href} is no picture of the repository`);
        return null;
      }
      const more = pictureFaultOf(target, bytes);
      if (more !== null) fault(more);
      const name = pictureNameOf(target, hashOf(bytes));
      pictures.set(name, bytes);
      return { address: name, ...pictureSizeOf(target, bytes) };
    };
    const page = readMarkdown(text, { linkTo, pictureAt });
    for (const sentence of page.faults) fault(sentence);
    if (page.title === null) fault('it has no title: begin it with a heading of the first level');
    return { ...page, path, address: addressOf(names.get(path)), title: page.title ?? path };
  });

  const byPath = new Map(read.map((page) => [page.path, page]));
  for (const { path, href, target, anchor } of links)
    if (anchor !== null && !byPath.get(target).anchors.has(anchor))
      faults.push(`${path}: ${target} has nothing at ${href}`);

  const found = navigationGroups([...pages.keys()], listed, rest);
  const groups = found.groups.map((group) => ({
    title: group.title,
    pages: group.pages.map((path) => byPath.get(path)),
  }));
  const index = searchIndexOf(read.filter(({ path }) => !notSearched.includes(path)));
  const indexName = `search-index-${hashOf(index)}.json`;
  const files = { ...scripts, index: indexName };
  return {
    files: [
      ...read.map((page) => ({
        name: names.get(page.path),
        bytes: Buffer.from(layoutOf({ page, groups, files, version })),
      })),
      ...[...pictures].map(([name, bytes]) => ({ name, bytes })),
      { name: indexName, bytes: index },
    ],
    faults: [...faults, ...found.faults],
  };
}

/** The file of each page; two of one name are a fault. */
function namesOf(paths, home, faults) {
  const owners = new Map();
  for (const path of paths) {
    const name = fileNameOf(path, home);
    const other = owners.get(name);
    if (other === undefined) owners.set(name, path);
    else faults.push(`${path} and ${other} would both be ${name}: rename one`);
  }
  return new Map(paths.map((path) => [path, fileNameOf(path, home)]));
}

/** The first page is at the folder itself. */
function addressOf(name) {
  return name === 'index.html' ? './' : name;
}
