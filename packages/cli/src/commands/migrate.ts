import { Console, DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { logged } from "../console/logging.ts"
import { printJson, table } from "../console/print.ts"
import { sharedSettings } from "../parley.ts"
import { requireDatabase } from "../tenant/target.ts"

interface Step {
  readonly id: number
  readonly name: string
  readonly state: "applied" | "pending"
  readonly appliedAt: string | null
}

const printSteps = (json: boolean, steps: ReadonlyArray<Step>) =>
  json
    ? printJson(steps)
    : Console.log(
        table(steps, [
          { heading: "ID", of: ({ id }) => String(id), align: "right" },
          { heading: "NAME", of: ({ name }) => name },
          { heading: "STATE", of: ({ state }) => state },
          { heading: "APPLIED", of: ({ appliedAt }) => appliedAt ?? "" }
        ])
      )

const database = Effect.promise(() => import("@parley/service/database"))

const showStatus = Effect.fnUntraced(function* (json: boolean) {
  const { migrationStatus } = yield* database
  const { applied, pending, refusal } = yield* migrationStatus
  yield* printSteps(json, [
    ...applied.map(({ at, id, name }) => ({ id, name, state: "applied" as const, appliedAt: DateTime.formatIso(at) })),
    ...pending.map(({ id, name }) => ({ id, name, state: "pending" as const, appliedAt: null }))
  ])
  if (refusal !== null) yield* Console.error(refusal.message)
})

const run = Effect.fnUntraced(function* (json: boolean) {
  const { bringUpToDate } = yield* database
  const taken = yield* bringUpToDate
  if (json) return yield* printJson(taken)
  yield* taken.length === 0
    ? Console.log("The database is up to date.")
    : Effect.forEach(taken, ({ id, name }) => Console.log(`Applied ${id} ${name}.`), { discard: true })
})

export const migrate = Command.make(
  "migrate",
  {
    status: Flag.Boolean("status").pipe(
      Flag.withDescription("Show the applied and the missing migrations, without a change"),
      Flag.withDefault(false)
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ json, status }) {
    const settings = yield* sharedSettings
    yield* requireDatabase(settings, "")
    const { layerDatabase, unusable } = yield* database
    yield* (status ? showStatus(json) : run(json)).pipe(
      Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))),
      Effect.provide(layerDatabase(settings, { creates: !status })),
      logged(settings, "Warn")
    )
  })
).pipe(Command.withExamples([{ command: "parley migrate --status" }]))
