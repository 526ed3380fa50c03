import type { Settings } from "@parley/service/configuration"
import { Console, Effect, Result } from "effect"
import { Command } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { logged } from "../../console/logging.ts"
import { printJson, table } from "../../console/print.ts"
import { serviceFlags } from "../../console/serviceProcess.ts"
import { parley } from "../../parley.ts"
import { requireThisMachine } from "../../tenant/target.ts"
import { checkSecretFiles } from "./secretFiles.ts"
import {
  checkConfiguration,
  checkDisk,
  checkNode,
  checkPort,
  failed,
  type Finding,
  ok,
  skipped,
  warning
} from "./checks.ts"

const rightKeys = "set the keys that this database was created with; a new key cannot read it"

const checkDatabase = Effect.fnUntraced(function* (settings: Settings) {
  const { embeddedUrl, layerDatabase, unusable } = yield* Effect.promise(() => import("@parley/service/database"))
  const { checkMigrations, checkServer } = yield* Effect.promise(() => import("./databaseChecks.ts"))
  const { checkHold, checkKeys } = yield* Effect.promise(() => import("./databaseChecks.ts"))
  const { layerPortsOnDatabase } = yield* Effect.promise(() => import("@parley/service/ports"))
  const checks = Effect.gen(function* () {
    const reached = settings.databaseUrl.value === null ? [ok("psql", yield* embeddedUrl(settings))] : []
    const server = [...(yield* checkServer(settings)), ...reached]
    const migrations = yield* checkMigrations(settings)
    if (migrations.status !== "ok") return [...server, migrations, skipped("keys", "after the migrations")]
    const { checkNumbers } = yield* Effect.promise(() => import("./numberChecks.ts"))
    const stored = Effect.all([checkKeys, checkNumbers]).pipe(Effect.map((found) => found.flat()))
    const hold = yield* checkHold
    const keys = yield* Effect.result(Effect.provide(stored, layerPortsOnDatabase(settings)))
    return Result.isSuccess(keys)
      ? [...server, migrations, ...hold, ...keys.success]
      : [...server, migrations, ...hold, failed("master keys", keys.failure.message, rightKeys)]
  })
  return yield* checks.pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))),
    Effect.provide(layerDatabase(settings, { creates: false })),
    Effect.catchTags({
      DatabaseUnusable: ({ message }) =>
        Effect.succeed([failed("database", message, "check that it runs, and that PARLEY_DATABASE_URL is correct")]),
      WrongConfiguration: ({ message }) => Effect.succeed([failed("database", message, "correct it")])
    })
  )
})

const noDatabase = ({ dataDir }: Settings) =>
  warning(
    "database",
    `none is configured, and the folder ${dataDir.value} contains none`,
    "run `parley serve`, `parley migrate` or `parley demo` to create it, or configure your own with PARLEY_DATABASE_URL"
  )

const examine = Effect.fnUntraced(function* (settings: Settings) {
  const { hasEmbedded } = yield* Effect.promise(() => import("@parley/service/database"))
  const isThere = settings.databaseUrl.value !== null || (yield* hasEmbedded(settings))
  const database = isThere ? yield* checkDatabase(settings) : [noDatabase(settings)]
  return [...(yield* checkSecretFiles(settings)), yield* checkPort(settings), yield* checkDisk(settings), ...database]
})

const printFindings = (findings: ReadonlyArray<Finding>) =>
  Console.log(
    table(
      findings.flatMap((finding) => [
        { status: finding.status, check: finding.check, text: finding.found },
        ...(finding.advice === null ? [] : [{ status: "", check: "", text: `-> ${finding.advice}` }])
      ]),
      [
        { heading: "STATUS", of: ({ status }) => status },
        { heading: "CHECK", of: ({ check }) => check },
        { heading: "FOUND", of: ({ text }) => text }
      ]
    )
  )

export const doctor = Command.make(
  "doctor",
  { ...serviceFlags, json: Flags.json },
  Effect.fn(function* ({ json, ...flags }) {
    const { findings, settings } = yield* checkConfiguration({ ...(yield* parley), ...flags })
    if (settings !== null) yield* requireThisMachine(settings, "doctor")
    const more =
      settings === null
        ? [skipped("database", "after the configuration is correct")]
        : yield* logged(settings, "Error")(examine(settings))
    const all = [yield* checkNode, ...findings, ...more]
    yield* json ? printJson(all) : printFindings(all)
    const count = all.filter(({ status }) => status === "failed").length
    if (count > 0) return yield* new Refused({ message: count === 1 ? "One check failed." : `${count} checks failed.` })
  })
).pipe(Command.withExamples([{ command: "parley doctor --json" }]))
