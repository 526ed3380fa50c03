import { Backup, Embedded } from "@parley/postgres-adapter"
import { checkAnalytics } from "@parley/domain/analytics"
import { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import { OrganizationIds } from "@parley/domain/platform"
import { Effect, FileSystem, Layer, Result } from "effect"
import { type DatabaseLayer, hasEmbedded, layerDatabase, unusable } from "../database.ts"
import { DatabaseUnusable } from "../Failure.ts"
import { layerPortsOnDatabase } from "../ports.ts"
import type { Settings } from "../readSettings.ts"
import { requireKeys } from "./keys.ts"
import { checkArchive } from "./readArchive.ts"
import { fillFrom, prepareSchema } from "./restore.ts"

/** A check of a backup. */
export interface VerifiedInvariant {
  readonly name: string
  readonly result: "passed" | "failed" | "skipped"
  readonly details: ReadonlyArray<string>
}

const toResult = ({ name, problems }: Backup.InvariantResult): VerifiedInvariant => ({
  name,
  result: problems.length === 0 ? "passed" : "failed",
  details: problems
})

const operator = { kind: "operator", name: "verify" } as const

const pageSize = 1_000

/** Counts the analytics of each organization again and compares them. */
const checkAllAnalytics = Effect.gen(function* () {
  const organizations = yield* OrganizationIds
  const problems: Array<string> = []
  for (let after: Effect.Success<ReturnType<typeof organizations.after>>[number] | null = null; ;) {
    const ids: Effect.Success<ReturnType<typeof organizations.after>> = yield* organizations.after(after, pageSize)
    for (const id of ids) {
      const { differences } = yield* Effect.provideService(checkAnalytics(), CurrentOrganization, { id })
      if (differences.length > 0) problems.push(`${id}: ${differences.length} figures differ from a recount`)
    }
    after = ids.at(-1) ?? null
    if (ids.length < pageSize || after === null) return { name: "analytics", problems }
  }
}).pipe(Effect.provideService(CurrentActor, operator))

const analytics = Effect.fnUntraced(function* (settings: Settings, missingKeys: string | null) {
  if (missingKeys !== null) {
    return { name: "analytics", result: "skipped", details: [missingKeys] } satisfies VerifiedInvariant
  }
  return toResult(yield* Effect.provide(checkAllAnalytics, layerPortsOnDatabase(settings)))
})

/** A server for the scratch database: the configured one, or a temporary one. */
const scratchServer = (settings: Settings): DatabaseLayer =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (settings.databaseUrl.value !== null || (yield* hasEmbedded(settings))) {
        return layerDatabase(settings, { creates: false })
      }
      const fs = yield* FileSystem.FileSystem
      const directory = yield* Effect.orDie(fs.makeTempDirectoryScoped({ prefix: "parley-verify-" }))
      return Layer.catch(Embedded.layer({ directory }), (error) =>
        Layer.unwrap(Effect.fail(new DatabaseUnusable({ message: error.message })))
      )
    })
  )

/** Verifies a backup: its hashes, and then a restore into a scratch database with checks of all rows. */
export const verify = Effect.fnUntraced(function* (settings: Settings, file: string) {
  const { header, members } = yield* checkArchive(file)
  const keys = yield* Effect.result(requireKeys(settings, header.keys))
  const checks = Effect.gen(function* () {
    yield* prepareSchema(file, header)
    yield* Effect.catchTag(fillFrom(file, { replaces: false }), ["DatabaseInUse", "DatabaseNotEmpty"], Effect.die)
    const expected = members.flatMap(({ rows }) => (rows === null ? [] : [rows]))
    const counted = yield* Backup.countRows(header.tables)
    const different = header.tables.flatMap(({ name }, index) =>
      counted[index] === expected[index]
        ? []
        : [`${name}: ${counted[index]} rows, and ${expected[index]} in the manifest`]
    )
    return [
      { name: "hashes", result: "passed", details: [] },
      toResult({ name: "rows", problems: different }),
      ...(yield* Backup.brokenInvariants).map(toResult),
      yield* analytics(settings, Result.isFailure(keys) ? keys.failure.message : null)
    ] satisfies ReadonlyArray<VerifiedInvariant>
  })
  const invariants = yield* Backup.withScratchDatabase(checks).pipe(
    Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))),
    Effect.provide(scratchServer(settings))
  )
  return { header, rows: members.reduce((sum, { rows }) => sum + (rows ?? 0), 0), invariants }
})
