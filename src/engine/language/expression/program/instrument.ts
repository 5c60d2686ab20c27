import { messageOf } from '../../../../errors/flowgate-error.js';
import { MAX_SYNTAX_DEPTH, NODE_WORK } from '../limits/bounds.js';
import { CompileFault } from '../faults/compile-fault.js';
import { ENVIRONMENT } from './environment.js';
import { LIST_CALL, MAP_CALL, RANGE_CALL, STEP_CALL } from '../functions/collections.js';
import { checkPattern } from '../functions/patterns.js';
import { TIMES } from '../functions/times.js';
import {
  type KnownUnits,
  memberText,
  NO_VARS,
  type ReadKind,
  unknownUnit,
  unknownVar,
} from '../known-units.js';
import { EVALUATORS, type EvaluatorRevision } from './revision.js';
import { unknownFunction } from './unknown-function.js';
import type { Syntax, SyntaxNode } from '../parsing/parse.js';
import type { Surroundings } from '../surroundings.js';
import { unknownName, variableFor } from '../surroundings.js';

type KindOf<Case> = Extract<SyntaxNode['exprKind'], { case: Case }>['value'];
type Call = KindOf<'callExpr'>;
type Comprehension = KindOf<'comprehensionExpr'>;
type Selection = KindOf<'selectExpr'>;
type Struct = KindOf<'structExpr'>;
type Constant = KindOf<'constExpr'>;

/** What the planner evaluates without a function. */
const BUILT_IN = new Set(['_[_]', '_?_:_', '_&&_', '_||_', '@not_strictly_false']);
/** Operators that may have a value although an operand has none. */
const CONDITIONAL = new Set(['_?_:_', '_&&_', '_||_']);
const MAX_INT = 2n ** 63n;
const MAX_UINT = 2n ** 64n;

/**
 * Checks names, functions, constants and depth, and rewrites the tree in place so that every list, map and
 * comprehension goes through functions of ours, which count. Throws a `CompileFault`.
 */
export function instrument(
  syntax: Syntax,
  surroundings: Surroundings,
  units: KnownUnits | null = null,
): Instrumented {
  const instrumenter = new Instrumenter(syntax, surroundings, units);
  const work = instrumenter.visit(syntax.expr);
  return { expression: syntax.expr, work, revision: instrumenter.revision };
}

interface Instrumented {
  readonly expression: SyntaxNode;
  /** The work of its nodes, each once; those of a loop's body are counted in each pass instead. */
  readonly work: number;
  /** The first meaning of expressions that has all of its words. */
  readonly revision: EvaluatorRevision;
}

class Instrumenter {
  revision: EvaluatorRevision = EVALUATORS.first;
  private depth = 0;
  /** Variables of the enclosing comprehensions. */
  private readonly locals: string[] = [];
  /** How many enclosing operators may do without the value. */
  private conditions = 0;
  /** The mentions of `vars` of which a key is read that the text names. */
  private readonly namedVars = new Set<SyntaxNode>();
  /** How many `has(…)` enclose the node. */
  private tests = 0;

  constructor(
    private readonly syntax: Syntax,
    private readonly surroundings: Surroundings,
    private readonly units: KnownUnits | null,
  ) {}

  /** The work of the nodes from here down, without those that count in each pass of a loop. */
  visit(node: SyntaxNode | undefined): number {
    if (node === undefined) return 0;
    this.depth += 1;
    if (this.depth > MAX_SYNTAX_DEPTH) {
      throw this.fault(node, `the expression is deeper than ${MAX_SYNTAX_DEPTH} levels here: split it`);
    }
    const work = this.visitKind(node);
    this.depth -= 1;
    return work;
  }

  private visitKind(node: SyntaxNode): number {
    const kind = node.exprKind;
    switch (kind.case) {
      case 'constExpr':
        this.checkConstant(node, kind.value);
        return NODE_WORK.constant;
      case 'identExpr':
        kind.value.name = this.resolve(node, kind.value.name);
        if (kind.value.name === 'vars' && !this.locals.includes('vars')) this.checkVars(node);
        return NODE_WORK.variable + this.lookUpWork;
      case 'selectExpr':
        return this.visitSelection(node, kind.value);
      case 'callExpr':
        return this.visitCall(node, kind.value);
      case 'listExpr':
        return this.replace(node, LIST_CALL, kind.value.elements);
      case 'structExpr':
        return this.replace(node, MAP_CALL, this.entriesOf(node, kind.value));
      case 'comprehensionExpr':
        return this.visitComprehension(kind.value);
      default:
        throw this.fault(node, 'this form is not supported: write it in another way');
    }
  }

  /** `field`: the key that is read of it, where there is one. */
  private resolve(node: SyntaxNode, name: string, field: string | null = null): string {
    if (this.locals.includes(name)) return name;
    const plain = name.startsWith('.') ? name.slice(1) : name;
    const variable = variableFor(plain, this.surroundings);
    if (variable === undefined) {
      const isUnit = this.units?.has(plain.normalize('NFC')) === true;
      throw this.fault(node, unknownName(plain, this.surroundings, isUnit, field));
    }
    if (variable === 'now' || variable === 'vars') this.revision = EVALUATORS.timed;
    return variable;
  }

  private visitSelection(node: SyntaxNode, { operand, field, testOnly }: Selection): number {
    if (operand?.exprKind.case === 'identExpr') this.resolve(operand, operand.exprKind.value.name, field);
    this.checkUnit(operand, field, testOnly);
    if (testOnly) this.tests += 1;
    const work = this.visit(operand) + this.selectionWork(node);
    if (testOnly) this.tests -= 1;
    return work;
  }

  private visitCall(node: SyntaxNode, call: Call): number {
    if (!BUILT_IN.has(call.function) && ENVIRONMENT.funcs.find(call.function) === undefined) {
      throw this.fault(node, unknownFunction(call.function));
    }
    if (call.function === 'matches') this.checkConstantPattern(call);
    if (isOfTime(call)) this.revision = EVALUATORS.timed;
    if (call.function === '_[_]') this.checkUnit(call.args[0], textOf(call.args[1]), false);
    if (call.function === '@in') this.checkUnit(call.args[1], textOf(call.args[0]), true);
    const isConditional = CONDITIONAL.has(call.function);
    if (isConditional) this.conditions += 1;
    const inside = this.visitAll([...(call.target === undefined ? [] : [call.target]), ...call.args]);
    if (isConditional) this.conditions -= 1;
    return workOf(call.function) + inside;
  }

  /**
   * Reading a unit that does not exist never has a value: it is a fault, whatever is tested before. Asking whether it is
   * there is no fault, because the result is right.
   */
  private checkUnit(of: SyntaxNode | undefined, key: string | null, isTest: boolean): void {
    if (this.units === null || key === null || of?.exprKind.case !== 'identExpr') return;
    const variable = of.exprKind.value.name.replace(/^\./, '');
    if (this.locals.includes(variable)) return;
    if (variable === 'vars') this.checkVar(of, key, isTest);
    if (variable === 'state') this.noteRead(of, outputOfKey(key), isTest);
    if (variable !== 'outputs' && variable !== 'errors') return;
    const problem = unknownUnit(key, this.units, variable);
    if (problem === null) {
      if (variable === 'outputs') this.noteRead(of, key.normalize('NFC'), isTest);
      return;
    }
    if (!isTest) throw this.fault(of, problem);
    const shown = memberText(variable, key);
    const at = { path: '', text: '', offset: this.offsetOf(of) };
    this.units.warn(at, `An expression asks whether ${shown} is there, which it never is: ${problem}`);
  }

  /** `vars` as such: where nothing says which of them is read, all are. */
  private checkVars(node: SyntaxNode): void {
    const vars = this.units?.vars;
    if (vars?.isEmpty === true) throw this.fault(node, NO_VARS);
    if (!this.namedVars.has(node)) vars?.readAll();
  }

  /** A var that the document does not have can never have a value. */
  private checkVar(of: SyntaxNode, name: string, isTest: boolean): void {
    const vars = this.units?.vars;
    if (vars === undefined || variableFor('vars', this.surroundings) !== 'vars') return;
    this.namedVars.add(of);
    if (vars.has(name)) return vars.read(name);
    const problem = unknownVar(name, vars);
    if (!isTest) throw this.fault(of, problem);
    const at = { path: '', text: '', offset: this.offsetOf(of) };
    this.units?.warn(at, `An expression asks whether vars.${name} is there, which it never is: ${problem}`);
  }

  private noteRead(of: SyntaxNode, unitId: string | null, isTest: boolean): void {
    if (this.units === null || unitId === null || !this.units.has(unitId)) return;
    const isConditional = this.conditions > 0 || this.locals.length > 0;
    const kind: ReadKind = isTest || this.tests > 0 ? 'asked' : isConditional ? 'conditional' : 'plain';
    this.units.read({ unitId, kind, path: '', text: '', offset: this.offsetOf(of) });
  }

  private visitAll(nodes: readonly SyntaxNode[]): number {
    let work = 0;
    for (const node of nodes) work += this.visit(node);
    return work;
  }

  private replace(node: SyntaxNode, name: string, args: SyntaxNode[]): number {
    const work = NODE_WORK.operator + this.visitAll(args);
    node.exprKind = { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } };
    return work;
  }

  private entriesOf(node: SyntaxNode, struct: Struct): SyntaxNode[] {
    if (struct.messageName !== '') {
      throw this.fault(node, `there is no message type ${struct.messageName}: write a map, as in {"key": 1}`);
    }
    return struct.entries.flatMap(({ keyKind, value }) =>
      keyKind.case === 'mapKey' && value !== undefined ? [keyKind.value, value] : [],
    );
  }

  private visitComprehension(loop: Comprehension): number {
    const { iterRange, loopCondition, loopStep, accuInit, result } = loop;
    const around = this.visit(iterRange);
    this.locals.push(loop.iterVar, loop.accuVar);
    const body = this.visit(loopCondition) + this.visit(loopStep);
    const start = this.visit(accuInit) + this.visit(result);
    this.locals.splice(-2);
    if (iterRange !== undefined) loop.iterRange = callOf(iterRange, RANGE_CALL, [iterRange]);
    if (loopCondition !== undefined) {
      loop.loopCondition = callOf(loopCondition, STEP_CALL, [numberOf(loopCondition, body), loopCondition]);
    }
    return NODE_WORK.comprehension + around + start;
  }

  /** A name is looked up in each enclosing comprehension, from the innermost outwards. */
  private get lookUpWork(): number {
    return (this.locals.length / 2) * NODE_WORK.variableOfLoop;
  }

  private selectionWork(node: SyntaxNode): number {
    let characters = 0;
    for (let at: SyntaxNode | undefined = node; at?.exprKind.case === 'selectExpr';) {
      characters += at.exprKind.value.field.length;
      at = at.exprKind.value.operand;
    }
    return NODE_WORK.selection + this.lookUpWork + characters * NODE_WORK.selectionOfCharacter;
  }

  private checkConstant(node: SyntaxNode, { constantKind }: Constant): void {
    switch (constantKind.case) {
      case 'int64Value':
        if (constantKind.value >= MAX_INT || constantKind.value < -MAX_INT) {
          throw this.fault(node, 'the int does not fit into 64 bits: write it as a double, with a point');
        }
        return;
      case 'uint64Value':
        if (constantKind.value >= MAX_UINT) throw this.fault(node, 'the uint does not fit into 64 bits');
        return;
      case 'doubleValue':
        if (!Number.isFinite(constantKind.value))
          throw this.fault(node, 'the number is too large for a double');
        return;
      default:
    }
  }

  private checkConstantPattern(call: Call): void {
    const pattern = call.args.at(-1);
    if (pattern?.exprKind.case !== 'constExpr') return;
    const { constantKind } = pattern.exprKind.value;
    if (constantKind.case !== 'stringValue') return;
    try {
      checkPattern(constantKind.value);
    } catch (error) {
      throw this.fault(pattern, messageOf(error));
    }
  }

  private fault(node: SyntaxNode, message: string): CompileFault {
    return new CompileFault(message, this.offsetOf(node));
  }

  private offsetOf(node: SyntaxNode): number {
    return this.syntax.sourceInfo?.positions[node.id.toString()] ?? 0;
  }
}

const OUTPUT_KEY = 'output.';

/** The unit whose output the key of the state holds; null for other keys. */
function outputOfKey(key: string): string | null {
  return key.startsWith(OUTPUT_KEY) ? key.slice(OUTPUT_KEY.length) : null;
}

/** The value of a text literal; null for anything that is computed. */
function textOf(node: SyntaxNode | undefined): string | null {
  if (node?.exprKind.case !== 'constExpr') return null;
  const { constantKind } = node.exprKind.value;
  return constantKind.case === 'stringValue' ? constantKind.value : null;
}

function workOf(name: string): number {
  if (BUILT_IN.has(name)) return name === '_[_]' ? NODE_WORK.selection : NODE_WORK.logic;
  return /^[a-z]/i.test(name) ? NODE_WORK.call : NODE_WORK.operator;
}

/** Whether the call means something since times have offsets and ISO 8601 durations, and had no value before. */
function isOfTime({ function: name, target, args }: Call): boolean {
  if (name === 'duration') return /^-?P/.test(textOf(args[0]) ?? '');
  return target !== undefined && args.length > 0 && TIMES.has(name);
}

/** A new node in place of an old one. */
function callOf(original: SyntaxNode, name: string, args: SyntaxNode[]): SyntaxNode {
  return {
    $typeName: 'cel.expr.Expr',
    id: original.id,
    exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
  };
}

function numberOf(original: SyntaxNode, value: number): SyntaxNode {
  return {
    $typeName: 'cel.expr.Expr',
    id: original.id,
    exprKind: {
      case: 'constExpr',
      value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'doubleValue', value } },
    },
  };
}
