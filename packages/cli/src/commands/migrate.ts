import { seconds } from "effect/Duration"
import { Console, DateTime, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { type Settings, WrongUsage } from "@parley/service/configuration"
import * as Flags from "../console/flags.ts"
import { logged } from "../console/logging.ts"
import { printJson, table } from "../console/print.ts"
import { sharedSettings } from "../parley.ts"
import { requireDatabase } from "../tenant/target.ts"
import { printPlan } from "./migrationPlan.ts"

interface Step {
  readonly id: number
  readonly name: string
  readonly phase: "expand" | "contract"
  readonly state: "applied" | "pending"
  readonly release: string | null
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
          { heading: "PHASE", of: ({ phase }) => phase },
          { heading: "RELEASE", of: ({ release }) => release ?? "" },
          { heading: "APPLIED", of: ({ appliedAt }) => appliedAt ?? "" }
        ])
      )

const database = Effect.promise(() => import("@parley/service/database"))

const showStatus = Effect.fnUntraced(function* (json: boolean) {
  const { migrationStatus } = yield* database
  const { applied, pending, refusal } = yield* migrationStatus
  yield* printSteps(json, [
    ...applied.map(({ at, id, name, phase, release }) => ({
      id,
      name,
      phase,
      state: "applied" as const,
      release,
      appliedAt: DateTime.formatIso(at)
    })),
    ...pending.map((step) => ({ ...step, state: "pending" as const, release: null, appliedAt: null }))
  ])
  if (refusal !== null) yield* Console.error(refusal.message)
})

const showPlan = Effect.fnUntraced(function* (json: boolean) {
  const { planMigrations } = yield* database
  const steps = yield* planMigrations
  yield* json ? printJson(steps) : printPlan(steps)
})

interface Chosen {
  readonly expand: boolean
  readonly contract: boolean
  readonly lockWait: number
}

const apply = Effect.fnUntraced(function* ({ databaseUrl }: Settings, { contract, expand, lockWait }: Chosen) {
  const { bringEmbeddedUpToDate, migrateDatabase } = yield* database
  const options = { lockWait: seconds(lockWait) }
  if (databaseUrl.value === null && !contract && !expand) return yield* bringEmbeddedUpToDate(options)
  return yield* migrateDatabase({ ...options, phase: contract ? "contract" : "expand" })
})

const run = Effect.fnUntraced(function* (settings: Settings, json: boolean, chosen: Chosen) {
  const taken = yield* apply(settings, chosen)
  if (json) return yield* printJson(taken)
  yield* taken.length === 0
    ? Console.log("The database is up to date.")
    : Effect.forEach(taken, ({ id, name }) => Console.log(`Applied ${id} ${name}.`), { discard: true })
})

const choice = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withoutNegation, Flag.withDefault(false))

export const migrate = Command.make(
  "migrate",
  {
    status: Flag.Boolean("status").pipe(
      Flag.withDescription("Show the applied and the missing migrations, without a change"),
      Flag.withDefault(false)
    ),
    plan: choice("plan", "Show the locks, the sizes and the blockers of the missing migrations, without a change"),
    expand: choice("expand", "Apply the migrations that earlier releases can run on. Default on a database server"),
    contract: choice("contract", "Apply the migrations that remove what earlier releases need"),
    lockWait: Flag.Int("lock-wait").pipe(
      Flag.withDescription("Longest wait for the locks of one migration, in seconds"),
      Flag.withDefault(600)
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ contract, expand, json, lockWait, plan, status }) {
    const settings = yield* sharedSettings
    yield* requireDatabase(settings, "")
    if ([contract, expand, plan, status].filter((isChosen) => isChosen).length > 1) {
      return yield* new WrongUsage({ message: "Specify only --status, --plan, --expand or --contract." })
    }
    if (lockWait < 0) return yield* new WrongUsage({ message: "--lock-wait: expected 0 or more seconds" })
    const { layerDatabase, unusable } = yield* database
    const reads = status || plan
    yield* (
      status ? showStatus(json) : plan ? showPlan(json) : run(settings, json, { contract, expand, lockWait })
    ).pipe(
      Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))),
      Effect.provide(layerDatabase(settings, { creates: !reads })),
      logged(settings, "Warn")
    )
  })
).pipe(
  Command.withExamples([
    { command: "parley migrate --status" },
    { command: "parley migrate --plan", description: "Before an upgrade" },
    { command: "parley migrate --contract", description: "After every node has the new release" }
  ])
)
