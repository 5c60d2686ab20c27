/**
 * The page with the addresses of what changes its name with its content: the style sheet, and the modules of the first screen, which a
 * browser would else find one after the other, each a way there and back on a bad line.
 */
export function pageWith({ style, modules, template }) {
  const links = modules.map((name) => `<link rel="modulepreload" href="${name}" />`);
  const page = template.replace('{{style}}', style).replace('{{modules}}', links.join('\n    '));
  if (page.includes('{{')) throw new Error('console/src/page.html has a place that nothing fills');
  return page;
}
