import { readSettings } from "@parley/service/configuration"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { announceEnd, endsWell, saysGoodbye } from "./console/ending.ts"
import { logged } from "./console/logging.ts"
import { parley } from "./parley.ts"
import { requireThisMachine } from "./target.ts"
import { noMigrate, workFlags } from "./serviceFlags.ts"

/** Does what is to be done in the background. */
export const work = Command.make(
  "work",
  { ...workFlags, noMigrate },
  Effect.fn(function* ({ noMigrate, ...flags }) {
    const settings = yield* readSettings({ ...(yield* parley), ...flags })
    yield* requireThisMachine(settings, "work")
    const service = yield* Effect.promise(() => import("@parley/service"))
    return yield* service
      .work(settings, {
        migrates: !noMigrate,
        before: Effect.void,
        ready: () => Effect.andThen(endsWell, Console.log("Parley works in the background.")),
        stopping: announceEnd
      })
      .pipe(saysGoodbye, logged(settings, "Info"))
  })
).pipe(
  Command.withDescription(
    "Do what is to be done in the background, beside as many others as you like, until told to stop (SIGTERM, Ctrl-C)"
  ),
  Command.withExamples([
    {
      command: "PARLEY_DATABASE_URL=postgres://parley@db/parley PARLEY_MASTER_KEYS=k1:... parley work",
      description: "Beside `parley serve --no-workers` on the same database"
    }
  ])
)
