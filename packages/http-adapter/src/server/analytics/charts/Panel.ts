import type { Tick } from "./ticks.ts"
import { isAdditive, type Measure } from "./values.ts"

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Named values, one per label of the panel. */
export interface Row {
  readonly name: string
  readonly values: ReadonlyArray<number | null>
}

/** One drawing of a chart. The labels belong to points, groups of bars, or columns of a grid. */
export interface Panel {
  readonly kind: "lines" | "bars" | "grid"
  readonly title: string
  readonly measure: Measure
  readonly labels: ReadonlyArray<string>
  /** Choices of labels below lines, in order of preference. Default: every first, second, fifth or tenth label. */
  readonly tickSets?: ReadonlyArray<ReadonlyArray<Tick>>
  readonly rows: ReadonlyArray<Row>
  /** Whether the time of the last label is not over. */
  readonly isUnfinished?: boolean
  /** Whether there are more labels than the panel has received. */
  readonly hasMore?: boolean
  /** Remark below the drawing. */
  readonly note?: string
  /** Text of a panel without values. */
  readonly emptyText?: string
}

const noActivity = "No activity in this period."

export const emptyTextOf = ({ emptyText = noActivity }: Pick<Panel, "emptyText">): string => emptyText

/** Whether the panel has nothing to draw. A zero count is empty; a zero duration or rate is not. */
export const isEmpty = ({ labels, measure, rows }: Panel): boolean =>
  labels.length === 0 ||
  rows.every(({ values }) => values.every((value) => (isAdditive(measure) ? !value : value === null)))
