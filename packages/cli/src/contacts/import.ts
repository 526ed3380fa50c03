import {
  ColumnTarget,
  ContactImport,
  Country,
  getContactImport,
  importContacts,
  type ImportRequest,
  jobsWorks,
  layerJobKinds,
  layerWorkersOf,
  receiveContactFile,
  type TransferFormat,
  dropContactFile,
  type ContactFile
} from "@parley/domain"
import { Clock, Console, Effect, FileSystem, Layer, Option, Schema, SchemaTransformation, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { printOne, type View } from "../console/print.ts"
import { showing } from "../console/progress.ts"
import { typedFlag } from "../console/typed.ts"
import { operate } from "../operate.ts"
import { sharedSettings } from "../parley.ts"
import { inOrganization } from "../select.ts"

const view: View<ContactImport> = {
  schema: ContactImport,
  none: "There is no import.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "STATE", of: ({ dryRun, state }) => (dryRun ? `${state} (dry run)` : state) },
    { heading: "ROWS", of: ({ counts }) => String(counts.rows) },
    { heading: "CREATED", of: ({ counts }) => String(counts.created) },
    { heading: "UPDATED", of: ({ counts }) => String(counts.updated) },
    { heading: "UNCHANGED", of: ({ counts }) => String(counts.unchanged) },
    { heading: "BAD", of: ({ counts }) => String(counts.bad) },
    { heading: "ERRORS", of: ({ errorsUrl }) => errorsUrl ?? "" }
  ]
}

const MappedColumn = Schema.String.check(
  Schema.isPattern(/^[^\0]+=[^=]+$/u, { message: "Expected a column and what it fills, such as E-mail=email" })
).pipe(
  Schema.decodeTo(
    Schema.toEncoded(ColumnTarget),
    SchemaTransformation.transform({
      decode: (text: string) => {
        const at = text.lastIndexOf("=")
        return { column: text.slice(0, at), target: text.slice(at + 1) }
      },
      encode: ({ column, target }) => `${column}=${target}`
    })
  ),
  Schema.decodeTo(ColumnTarget)
)

const formatOf = (path: string): TransferFormat => (/\.(?:ndjson|jsonl)$/iu.test(path) ? "ndjson" : "csv")

const receive = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const { maxImportBytes } = yield* sharedSettings
  yield* Effect.mapError(
    fs.access(path, { readable: true }),
    ({ reason }) => new Refused({ message: `The file ${path} cannot be read: ${reason._tag}.` })
  )
  return yield* receiveContactFile(Stream.orDie(fs.stream(path)), maxImportBytes.value)
})

const isOver = ({ state }: ContactImport) => state !== "queued" && state !== "running"

const rate = (rows: number, millis: number) => (millis === 0 ? 0 : Math.round((rows * 1000) / millis))

/** Shares the jobs with the servers, if there are any, as long as the import goes on. */
const watch = Effect.fnUntraced(function* (asked: ContactImport) {
  const startedAt = yield* Clock.currentTimeMillis
  const read = Effect.gen(function* () {
    const now = yield* getContactImport(asked.id)
    const millis = (yield* Clock.currentTimeMillis) - startedAt
    const { bad, rows } = now.counts
    return {
      done: now.progress.done,
      total: now.progress.total ?? 0,
      counts: `${rows} rows, ${rate(rows, millis)} rows/s, ${rows - bad} good, ${bad} bad`,
      millis,
      isOver: isOver(now),
      import: now
    }
  })
  const workers = layerWorkersOf(jobsWorks, { lookMillis: 200, name: "contacts import" })
  const shown = yield* Effect.provide(showing(read), Layer.provide(workers, layerJobKinds))
  return shown.import
})

const run = Effect.fnUntraced(function* (path: string, request: Omit<ImportRequest, "format">, isWatched: boolean) {
  const file: ContactFile = yield* receive(path)
  const asked = yield* importContacts(file, { ...request, format: formatOf(path) }).pipe(
    Effect.onError(() => Effect.ignore(dropContactFile(file.id)))
  )
  return isWatched ? yield* watch(asked) : asked
})

/** Imports contacts from a file. */
export const importCommand = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("The CSV with a header, or NDJSON if its name ends in .ndjson or .jsonl")
    ),
    org: Flags.org,
    map: typedFlag("map", MappedColumn).pipe(
      Flag.withMetavar("column=target"),
      Flag.withDescription(
        "What a column fills: id, name, phone, email, locale, timezone, external, marketing, tags or attribute.<key>; may be repeated (by the names of the columns)"
      ),
      Flag.atLeast(0)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Write nothing, and say what would come of it"),
      Flag.withDefault(false)
    ),
    country: typedFlag("country", Country).pipe(
      Flag.withDescription("The country of phone numbers without a country code, such as DE"),
      Flag.optional
    ),
    skipExisting: Flag.Boolean("skip-existing").pipe(
      Flag.withDescription("Leave contacts as they are that there are already"),
      Flag.withDefault(false)
    ),
    createTags: Flag.Boolean("create-tags").pipe(
      Flag.withDescription("Add the tags that there are not yet"),
      Flag.withDefault(false)
    ),
    watch: Flag.Boolean("watch").pipe(
      Flag.withDescription("Stay until it is done, and do it if no server does (yes)"),
      Flag.withDefault(true)
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ country, createTags, dryRun, file, json, map, org, quiet, skipExisting, watch }) {
    const request = {
      map,
      dryRun,
      createTags,
      onExisting: skipExisting ? "skip" : "update",
      ...(Option.isSome(country) && { country: country.value })
    } as const
    const done = yield* operate(inOrganization(org, run(file, request, watch)))
    yield* printOne(view, { json, quiet }, done)
    if (done.counts.bad > 0)
      yield* Console.error(
        `${done.counts.bad} rows were bad. Read them: parley contacts import-errors ${done.id} --org ${org}`
      )
    if (done.state === "failed" || done.state === "cancelled") {
      return yield* new Refused({ message: done.error ?? "The import was cancelled." })
    }
  })
).pipe(
  Command.withDescription("Import contacts from a file"),
  Command.withExamples([
    { command: "parley contacts import customers.csv --org acme --map E-mail=email --map Kunde=name --country DE" },
    { command: "parley contacts import customers.csv --org acme --dry-run", description: "Say what would come of it" }
  ])
)
