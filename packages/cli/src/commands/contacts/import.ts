import { formatBytes } from "@parley/domain/kernel"
import {
  ColumnTarget,
  ContactImport,
  ContactImportId,
  Country,
  TagSeparator,
  type TransferFormat
} from "@parley/domain/crm"
import {
  Clock,
  Console,
  Effect,
  FileSystem,
  Option,
  PlatformError,
  Predicate,
  Schema,
  SchemaTransformation,
  Stdio,
  Stream
} from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Refused } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import { printOne, type View } from "../../console/print.ts"
import { progressLine, showing } from "../../console/progress.ts"
import { typedArgument, typedFlag } from "../../console/typed.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"

/** Callers without `contacts.read` do not get the counts that depend on stored contacts. */
const shownCount = (count: number | null) => (count === null ? "" : String(count))

const view: View<ContactImport> = {
  schema: ContactImport,
  none: "The import does not exist.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "STATE", of: ({ dryRun, state }) => (dryRun ? `${state} (dry run)` : state) },
    { heading: "ROWS", of: ({ counts }) => String(counts.rows) },
    { heading: "CREATED", of: ({ counts }) => shownCount(counts.created) },
    { heading: "UPDATED", of: ({ counts }) => shownCount(counts.updated) },
    { heading: "UNCHANGED", of: ({ counts }) => shownCount(counts.unchanged) },
    { heading: "BAD", of: ({ counts }) => shownCount(counts.bad) },
    { heading: "ERRORS", of: ({ errorsUrl }) => errorsUrl ?? "" },
    { heading: "ERROR CODE", of: ({ errorCode }) => errorCode ?? "" }
  ]
}

const MappedColumn = Schema.String.check(
  Schema.isPattern(/^[^\0]+=[^=]+$/u, { message: "Expected a column and its target, for example E-mail=email" })
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

/** A file of contacts, and its format. */
interface ContactsFile {
  readonly bytes: Stream.Stream<Uint8Array>
  readonly format: TransferFormat
}

type ImportQuery = NonNullable<Parameters<Tenant["contactTransfer"]["import"]>[0]["query"]>

const mediaTypes: Readonly<Record<TransferFormat, string>> = { csv: "text/csv", ndjson: "application/x-ndjson" }

/** Starts an import of a file. */
const start = Effect.fnUntraced(function* (
  { contactTransfer }: Tenant,
  { bytes, format }: ContactsFile,
  query: ImportQuery
) {
  const { ParleyClient } = yield* Effect.promise(() => import("@parley/http-adapter/client"))
  return yield* contactTransfer.import({ query, payload: bytes }).pipe(
    ParleyClient.sendingAs(mediaTypes[format]),
    Effect.mapError((failure) =>
      failure._tag === "PayloadTooLarge" && Predicate.hasProperty(failure, "max")
        ? new Refused({ message: `The file exceeds ${formatBytes(Number(failure.max))}. Split the file.` })
        : failure
    )
  )
})

const formatOf = (path: string): TransferFormat => (/\.(?:ndjson|jsonl)$/iu.test(path) ? "ndjson" : "csv")

const fileAt = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    fs.access(path, { readable: true }),
    ({ reason }) => new Refused({ message: `The file ${path} cannot be read: ${reason._tag}.` })
  )
  return { bytes: Stream.orDie(fs.stream(path)), format: formatOf(path) } satisfies ContactsFile
})

const isOver = ({ state }: ContactImport) => state !== "queued" && state !== "running"

const rate = (rows: number, millis: number) => (millis === 0 ? 0 : Math.round((rows * 1000) / millis))

/** Shows the progress of an import until it ends. Runs the import in this process if no service runs it. */
const watch = Effect.fnUntraced(function* ({ contactTransfer, working }: Tenant, asked: ContactImport) {
  const startedAt = yield* Clock.currentTimeMillis
  const read = Effect.gen(function* () {
    const now = yield* contactTransfer.getImport({ params: { id: asked.id } })
    const millis = (yield* Clock.currentTimeMillis) - startedAt
    const { bad, rows } = now.counts
    return {
      done: now.progress.done,
      total: now.progress.total ?? 0,
      counts: `${rows} rows, ${rate(rows, millis)} rows/s${bad === null ? "" : `, ${rows - bad} good, ${bad} bad`}`,
      millis,
      isOver: isOver(now),
      import: now
    }
  })
  const shown = yield* Effect.raceFirst(showing(read, progressLine), working)
  return shown.import
})

const unknown = ({ unknownColumns }: ContactImport) =>
  `These columns have no target: ${unknownColumns.join(", ")}. Map them with --map, or ignore them (--map "column=ignore").`

export const importCommand = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("CSV file with a header, or NDJSON file with the ending .ndjson or .jsonl")
    ),
    org: Flags.org,
    map: typedFlag("map", MappedColumn).pipe(
      Flag.withMetavar("column=target"),
      Flag.withDescription(
        "Target of a column: id, name, firstName, lastName, phone, email, locale, timezone, external, marketing, tags, attribute.<key> or ignore; repeatable. Default: by the column names"
      ),
      Flag.atLeast(0)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Report the results of the import without writing"),
      Flag.withDefault(false)
    ),
    country: typedFlag("country", Country).pipe(
      Flag.withDescription("Country of phone numbers without a country code, such as DE"),
      Flag.optional
    ),
    skipExisting: Flag.Boolean("skip-existing").pipe(
      Flag.withDescription("Do not change existing contacts"),
      Flag.withDefault(false)
    ),
    createTags: Flag.Boolean("create-tags").pipe(Flag.withDescription("Create missing tags"), Flag.withDefault(false)),
    tagSeparator: Flag.Literals("tag-separator", TagSeparator.literals).pipe(
      Flag.withDescription("Separator of tags in a cell (semicolon)"),
      Flag.optional
    ),
    strict: Flag.Boolean("strict").pipe(
      Flag.withDescription("Refuse a file with unmapped columns"),
      Flag.withDefault(false)
    ),
    watch: Flag.Boolean("watch").pipe(
      Flag.withDescription("Wait for the end, and run the import here if no service runs it (yes)"),
      Flag.withDefault(true)
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* (input) {
    const { country, createTags, dryRun, file, json, map, org, quiet, skipExisting, strict, tagSeparator } = input
    const request = {
      map,
      dryRun,
      createTags,
      strict,
      onExisting: skipExisting ? "skip" : "update",
      ...(Option.isSome(country) && { country: country.value }),
      ...(Option.isSome(tagSeparator) && { tagSeparator: tagSeparator.value })
    } as const
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        if (input.watch) yield* tenant.requireNoHold
        const asked = yield* start(tenant, yield* fileAt(file), request)
        const done = input.watch ? yield* watch(tenant, asked) : asked
        yield* printOne(view, { json, quiet }, done)
        if (done.unknownColumns.length > 0) yield* Console.error(unknown(done))
        if (done.state === "succeeded" && done.summary !== null) yield* Console.error(done.summary)
        const errors = `parley contacts import-errors ${done.id} --org ${tenant.name}`
        const { bad } = done.counts
        if (bad === null) {
          yield* Console.error(
            `The counts need the permission contacts.read. Show the invalid rows of the file: ${errors}`
          )
        } else if (bad > 0) yield* Console.error(`${bad} rows are invalid. Show them: ${errors}`)
        if (done.state === "failed" || done.state === "cancelled") {
          const code = done.errorCode === null ? "" : ` (${done.errorCode})`
          return yield* new Refused({ message: `${done.error ?? "The import was cancelled."}${code}` })
        }
      })
    )
  })
).pipe(
  Command.withDescription("Import contacts from a file"),
  Command.withExamples([
    { command: "parley contacts import customers.csv --org acme --map E-mail=email --map Kunde=name --country DE" },
    {
      command: "parley contacts import customers.csv --org acme --dry-run",
      description: "Report the results without writing"
    }
  ])
)

const print = Effect.fnUntraced(function* ({ contactTransfer }: Tenant, id: ContactImportId) {
  const stdio = yield* Stdio.Stdio
  const bytes = yield* contactTransfer.importErrors({ params: { id } })
  yield* Stream.run(bytes, stdio.stdout({ endOnDone: false })).pipe(
    Effect.mapError((failure) =>
      PlatformError.isPlatformError(failure)
        ? new Refused({ message: "The output was closed before everything was written." })
        : failure
    )
  )
})

export const importErrorsCommand = Command.make(
  "import-errors",
  {
    id: typedArgument("import", ContactImportId).pipe(Argument.withDescription("Id of the import")),
    org: Flags.org
  },
  Effect.fn(function* ({ id, org }) {
    yield* inTenant(org, (tenant) => print(tenant, id))
  })
).pipe(Command.withDescription("Print the invalid rows of an import as CSV"))
