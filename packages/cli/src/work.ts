import { readSettings } from "@parley/service/configuration"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { parley } from "./parley.ts"
import { requireThisMachine } from "./target.ts"
import { noMigrate, workFlags } from "./serviceFlags.ts"
import { together } from "./together.ts"

/** Does what is to be done in the background. */
export const work = Command.make(
  "work",
  { ...workFlags, noMigrate },
  Effect.fn(function* ({ noMigrate, ...flags }) {
    const settings = yield* readSettings({ ...(yield* parley), ...flags })
    yield* requireThisMachine(settings, "work")
    return yield* together(settings, {
      says: "Parley works in the background.",
      posts: (count, of) => of("worker", count),
      run: Effect.fnUntraced(function* ({ ready, stopping }, joined) {
        const service = yield* Effect.promise(() => import("@parley/service"))
        return yield* service.work(settings, {
          ready: () => ready,
          stopping,
          migrates: !noMigrate && (joined === null || joined.isFirst),
          before: Effect.void,
          joined
        })
      })
    })
  })
).pipe(
  Command.withExamples([
    {
      command: "PARLEY_DATABASE_URL=postgres://parley@db/parley PARLEY_MASTER_KEYS=k1:... parley work",
      description: "Beside `parley serve --no-workers` on the same database"
    }
  ])
)
