import type { Round } from "../rounds.ts"
import { median } from "./median.ts"

const numbers = (values: ReadonlyArray<number | null | undefined>) =>
  values.filter((value) => typeof value === "number")

const medianOrNull = (values: ReadonlyArray<number | null | undefined>) => {
  const some = numbers(values)
  return some.length === 0 ? null : median(some)
}

/** The medians of a contestant over its rounds. */
export const summaryOf = (contestant: string, rounds: ReadonlyArray<Round>) => {
  const own = rounds.filter((round) => round.contestant === contestant)
  return {
    contestant,
    perSecond: median(own.map(({ perSecond }) => perSecond)),
    p50: medianOrNull(own.map(({ load }) => load?.p50)),
    p99: medianOrNull(own.map(({ load }) => load?.p99)),
    serverMicros: medianOrNull(own.map(({ serverMicros }) => serverMicros)),
    databaseMicros: medianOrNull(own.map(({ databaseMicros }) => databaseMicros)),
    residentMiB: medianOrNull(own.map(({ residentMiB }) => residentMiB))
  }
}

export type Summary = ReturnType<typeof summaryOf>

/** Speed ratio of two contestants, for each round and as the median. */
export const ratioOf = (one: string, other: string, rounds: ReadonlyArray<Round>) => {
  const byRound = rounds
    .filter(({ contestant }) => contestant === one)
    .flatMap(({ perSecond, round }) =>
      rounds
        .filter((rival) => rival.contestant === other && rival.round === round)
        .map((rival) => perSecond / rival.perSecond)
    )
  return { one, other, byRound, median: median(byRound) }
}

export type Ratio = ReturnType<typeof ratioOf>
