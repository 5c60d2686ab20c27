export interface DifferenceQuestion {
  readonly from: string;
  readonly to: string;
}

/** A unified diff, empty where they are the same; null: it takes too long, or is too long to be read. */
export type DifferenceAnswer = string | null;
