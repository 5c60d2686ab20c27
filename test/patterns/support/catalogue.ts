/**
 * The control-flow patterns of N. Russell, A.H.M. ter Hofstede, W.M.P. van der Aalst and N. Mulyar, "Workflow
 * Control-Flow Patterns: A Revised View", BPM Center Report BPM-06-22, 2006: number → name, by the groups of the
 * catalogue. The name of a group is that of its test file.
 */
export const CATALOGUE = {
  'basic-control-flow': {
    1: 'Sequence',
    2: 'Parallel Split',
    3: 'Synchronization',
    4: 'Exclusive Choice',
    5: 'Simple Merge',
  },
  'advanced-branching-and-synchronization': {
    6: 'Multi-Choice',
    7: 'Structured Synchronizing Merge',
    8: 'Multi-Merge',
    9: 'Structured Discriminator',
    28: 'Blocking Discriminator',
    29: 'Cancelling Discriminator',
    30: 'Structured Partial Join',
    31: 'Blocking Partial Join',
    32: 'Cancelling Partial Join',
    33: 'Generalized AND-Join',
    37: 'Acyclic Synchronizing Merge',
    38: 'General Synchronizing Merge',
    41: 'Thread Merge',
    42: 'Thread Split',
  },
  'multiple-instances': {
    12: 'Multiple Instances without Synchronization',
    13: 'Multiple Instances with a Priori Design-Time Knowledge',
    14: 'Multiple Instances with a Priori Run-Time Knowledge',
    15: 'Multiple Instances without a Priori Run-Time Knowledge',
    34: 'Static Partial Join for Multiple Instances',
    35: 'Cancelling Partial Join for Multiple Instances',
    36: 'Dynamic Partial Join for Multiple Instances',
  },
  'state-based': {
    16: 'Deferred Choice',
    17: 'Interleaved Parallel Routing',
    18: 'Milestone',
    39: 'Critical Section',
    40: 'Interleaved Routing',
  },
  'cancellation-and-force-completion': {
    19: 'Cancel Activity',
    20: 'Cancel Case',
    25: 'Cancel Region',
    26: 'Cancel Multiple Instance Activity',
    27: 'Complete Multiple Instance Activity',
  },
  iteration: {
    10: 'Arbitrary Cycles',
    21: 'Structured Loop',
    22: 'Recursion',
  },
  termination: {
    11: 'Implicit Termination',
    43: 'Explicit Termination',
  },
  trigger: {
    23: 'Transient Trigger',
    24: 'Persistent Trigger',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;

type Groups = typeof CATALOGUE;
type NumbersAndNames = {
  [G in keyof Groups]: { [N in keyof Groups[G]]: [N, Groups[G][N]] }[keyof Groups[G]];
};

/** A number of the catalogue with its name: no other pair is of this type. */
export type Pattern = NumbersAndNames[keyof NumbersAndNames];
