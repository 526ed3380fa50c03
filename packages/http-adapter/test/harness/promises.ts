import { ofAreas } from "./ofAreas.ts"
import type { Promised } from "./Promised.ts"

const promises = (await ofAreas<{ readonly promised: Promised }>("promised")).map(({ promised }) => promised)

const rowsOf = ({ answers }: Promised) =>
  answers
    .trim()
    .split("\n")
    .slice(1)
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .join(" | ")
    )

/** What every endpoint answers whom, a row for each. */
export const promisedAnswers: ReadonlyArray<string> = promises.flatMap(rowsOf)

/** What the endpoints that write leave in the trail. */
export const promisedTrails: ReadonlyArray<readonly [endpoint: string, action: string | null]> = promises.flatMap(
  ({ trails = {} }) => Object.entries(trails)
)
