/** The page with the address of its style sheet, which changes with its content. */
export function pageWith({ style, template }) {
  const page = template.replace('{{style}}', style);
  if (page.includes('{{')) throw new Error('console/src/page.html has a place that nothing fills');
  return page;
}
