import type { PlannedStep } from "@parley/service/database"
import { Console, Effect } from "effect"
import { table } from "../console/print.ts"

const megabyte = 1_000_000

const shownTables = ({ tables }: PlannedStep) =>
  tables.map(({ bytes, name, rows }) => `${name} (${rows} rows, ${Math.ceil(bytes / megabyte)} MB)`).join(", ")

/** Prints the missing migrations with their expected effects. */
export const printPlan = (steps: ReadonlyArray<PlannedStep>): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (steps.length === 0) return yield* Console.log("The database is up to date.")
    yield* Console.log(
      table(steps, [
        { heading: "ID", of: ({ id }) => String(id), align: "right" },
        { heading: "NAME", of: ({ name }) => name },
        { heading: "PHASE", of: ({ phase }) => phase },
        { heading: "TABLES", of: shownTables },
        { heading: "LOCK", of: ({ lock }) => lock },
        { heading: "ESTIMATE", of: ({ estimatedSeconds }) => `${estimatedSeconds} s` },
        { heading: "OLDEST RELEASE", of: ({ oldestRelease }) => oldestRelease }
      ])
    )
    for (const { blockers, id, name } of steps) {
      for (const blocker of blockers) yield* Console.log(`${id} ${name} would wait for ${blocker}`)
    }
  })
