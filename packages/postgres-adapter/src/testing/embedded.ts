import { PGlite } from "@electric-sql/pglite"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import type { PgClient } from "@effect/sql-pg"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { extensions, layerFrom } from "../Embedded.ts"
import * as Migrations from "../Migrations.ts"
import { schemaFingerprint } from "./schemaFingerprint.ts"

const prefix = "parley-embedded-"

/** Names the PGlite that is installed: its folder bears its version. */
const engineFingerprint = createHash("sha256")
  .update(createRequire(import.meta.url).resolve("@electric-sql/pglite"))
  .digest("hex")
  .slice(0, 16)

const open = (options: NonNullable<Parameters<typeof PGlite.create>[1]>) =>
  Effect.acquireRelease(
    Effect.promise(() => PGlite.create("memory://", { ...options, extensions })),
    (db) => Effect.promise(() => db.close())
  )

/** Keeps a migrated database as a file: to load it takes a fifth of the time of making it. */
const makeSnapshot = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const folder = dirname(file)
  yield* files.makeDirectory(folder, { recursive: true })
  for (const name of yield* files.readDirectory(folder)) {
    if (name.startsWith(prefix)) yield* Effect.ignore(files.remove(`${folder}/${name}`))
  }
  const db = yield* open({})
  yield* Effect.provide(
    Effect.andThen(
      Migrations.migrate,
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CHECKPOINT`)
    ),
    layerFrom(db)
  )
  const dump = yield* Effect.promise(() => db.dumpDataDir("none"))
  const draft = `${file}.${process.pid}`
  yield* files.writeFile(draft, new Uint8Array(yield* Effect.promise(() => dump.arrayBuffer())))
  yield* files.rename(draft, file)
})

const fromSnapshot = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const name = `${prefix}${engineFingerprint}-${yield* schemaFingerprint}.tar`
  const file = fileURLToPath(new URL(`../../node_modules/.cache/${name}`, import.meta.url))
  if (!(yield* files.exists(file))) yield* Effect.scoped(makeSnapshot(file))
  const snapshot = yield* files.readFile(file)
  return yield* open({ loadDataDir: new Blob([new Uint8Array(snapshot)]) })
})

/** A client of a new migrated PostgreSQL inside this process, with its data in memory. */
export const layerEmbedded: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(fromSnapshot, layerFrom)
).pipe(Layer.provide(NodeFileSystem.layer), Layer.orDie)
