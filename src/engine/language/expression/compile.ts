// TEMPORARY STUB
export function compileExpression(source: string, _o: unknown): any {
  const f = new Function('iteration', 'item', 'index', `return (${source})`);
  return { ok: true, expression: { source, evaluate: (s: any) => f(s.iteration, s.item, s.index) } };
}
export function compileTemplate(value: any, _o: unknown): any {
  return { ok: true, template: { source: '', evaluate: () => value } };
}
