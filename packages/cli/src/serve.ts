import { addressOf, readSettings } from "@parley/service/configuration"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { announceEnd, endsWell, saysGoodbye } from "./console/ending.ts"
import { logged } from "./console/logging.ts"
import { isExposed } from "./demo/isExposed.ts"
import { closeDemo } from "./demo/closeDemo.ts"
import { parley } from "./parley.ts"
import { requireThisMachine } from "./target.ts"
import { noMigrate, serviceFlags } from "./serviceFlags.ts"

/** Runs the HTTP service. */
export const serve = Command.make(
  "serve",
  {
    ...serviceFlags,
    noWorkers: Flag.Boolean("no-workers").pipe(
      Flag.withDescription("Serve the API alone; what is to be done in the background is left to `parley work`"),
      Flag.withoutNegation,
      Flag.withDefault(false)
    ),
    noMigrate
  },
  Effect.fn(function* ({ noMigrate, noWorkers, ...flags }) {
    const settings = yield* readSettings({ ...(yield* parley), ...flags })
    yield* requireThisMachine(settings, "serve")
    const service = yield* Effect.promise(() => import("@parley/service"))
    return yield* service
      .serve(settings, {
        works: !noWorkers,
        migrates: !noMigrate,
        drains: true,
        before: isExposed(settings) ? closeDemo : Effect.void,
        ready: () => Effect.andThen(endsWell, Console.log(`Parley listens on ${addressOf(settings)}`)),
        stopping: announceEnd
      })
      .pipe(saysGoodbye, logged(settings, "Info"))
  })
).pipe(
  Command.withDescription(
    "Serve the API, and do what is to be done in the background, until told to stop (SIGTERM, Ctrl-C)"
  ),
  Command.withExamples([
    { command: "parley serve", description: "On the embedded database, for this machine" },
    {
      command:
        "PARLEY_DATABASE_URL=postgres://parley@db/parley PARLEY_MASTER_KEYS=k1:... parley serve --host 0.0.0.0 --base-url https://parley.example",
      description: "On a PostgreSQL server, for everybody"
    }
  ])
)
