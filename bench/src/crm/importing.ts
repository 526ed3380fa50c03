import { generateMasterKey } from "@parley/provider-adapters/security"
import { Clock, Console, Duration, Effect, FileSystem, Option, Path, Redacted, Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
import * as BenchDatabase from "../database/BenchDatabase.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { figure, table } from "../report/table.ts"
import { familyEnds, familyStems, givenNames } from "./words.ts"

const parley = fileURLToPath(import.meta.resolve("../../../packages/cli/src/main.ts"))

/** The tables of contacts. */
const tables = ["contacts", "contact_identities", "consent_changes", "contact_tags", "contact_search_words"]

const linesAtOnce = 10_000

const at = (words: ReadonlyArray<string>, place: number) => words[place % words.length] ?? ""

const nameAt = (row: number) =>
  `${at(givenNames, row)} ${at(familyStems, Math.floor(row / 7))}${at(familyEnds, Math.floor(row / 3))} ${row % 5_000}`

/** Two thirds have marketing consent, a quarter has a tag. */
const lineAt = (row: number) =>
  `${nameAt(row)},0151 ${String(10_000_000 + row * 7).slice(0, 8)},c${row}@example.com,${row % 3 === 0 ? "" : "subscribed"},City ${row % 300},${row % 4 === 0 ? "VIP" : ""}\r\n`

const customers = (rows: number) =>
  Stream.concat(
    Stream.make("Name,Phone,E-mail,Consent,City,Groups\r\n"),
    Stream.map(Stream.range(0, Math.ceil(rows / linesAtOnce) - 1), (block) =>
      Array.from({ length: Math.min(linesAtOnce, rows - block * linesAtOnce) }, (_, line) =>
        lineAt(block * linesAtOnce + line)
      ).join("")
    )
  ).pipe(Stream.encodeText)

const residentMiB = Effect.fnUntraced(function* (pid: number) {
  const fs = yield* FileSystem.FileSystem
  const status = yield* Effect.orElseSucceed(fs.readFileString(`/proc/${pid}/status`), () => "")
  return Number(/^VmHWM:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0) / 1024
})

interface Ran {
  readonly output: string
  readonly seconds: number
  readonly peakMiB: number
}

/** Runs a program to its end. Returns its duration and maximum memory. */
const run = Effect.fnUntraced(function* (
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string | Redacted.Redacted>>
) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const begun = yield* Clock.currentTimeMillis
  const child = yield* spawner.spawn(
    ChildProcess.make(program, args, { env, extendEnv: true, stderr: "inherit", killSignal: "SIGTERM" })
  )
  let peakMiB = 0
  yield* Effect.map(residentMiB(child.pid), (now) => (peakMiB = Math.max(peakMiB, now))).pipe(
    Effect.delay(Duration.millis(250)),
    Effect.forever,
    Effect.forkScoped
  )
  const output = yield* child.stdout.pipe(
    Stream.decodeText(),
    Stream.runFold(
      () => "",
      (all, text) => all + text
    )
  )
  const code = yield* child.exitCode
  if (code !== 0) return yield* new ToolFailed({ tool: program, output })
  return { output, seconds: ((yield* Clock.currentTimeMillis) - begun) / 1_000, peakMiB } satisfies Ran
}, Effect.scoped)

const measure = Effect.fnUntraced(function* (server: Redacted.Redacted, rows: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-import-" })
  const file = path.join(folder, "customers.csv")
  yield* Stream.run(customers(rows), fs.sink(file))

  const url = yield* BenchDatabase.make(server)
  const env = { PARLEY_DATABASE_URL: url, PARLEY_MASTER_KEYS: yield* generateMasterKey("k1") }
  const command = (...args: ReadonlyArray<string>) => run(process.execPath, [parley, ...args], env)
  const psql = (statement: string) =>
    run("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", "--command", statement, Redacted.value(url)], {})
  yield* command("migrate")
  yield* command("orgs", "create", "Bench", "--slug", "bench", "--plan", "scale", "--quiet")

  const maps = ["Name=name", "Phone=phone", "E-mail=email", "Consent=marketing", "Groups=tags"]
  const imported = yield* command(
    "contacts",
    "import",
    file,
    "--org",
    "bench",
    "--country",
    "DE",
    "--create-tags",
    ...maps.flatMap((map) => ["--map", map])
  )
  yield* Console.log(imported.output)

  yield* psql(
    `CREATE UNLOGGED TABLE plain_rows (${["a", "b", "c", "d", "e", "f"].map((name) => `${name} text`).join(", ")})`
  )
  const cells = yield* psql(`\\copy plain_rows FROM '${file}' WITH (FORMAT csv, HEADER)`)
  const dumped = (name: string) => path.join(folder, name)
  for (const name of tables) yield* psql(`\\copy ${name} TO '${dumped(name)}' WITH (FORMAT binary)`)
  yield* psql("CREATE TABLE plain_contacts (LIKE contacts)")
  const plain = yield* psql(`\\copy plain_contacts FROM '${dumped("contacts")}' WITH (FORMAT binary)`)
  yield* psql(`TRUNCATE ${tables.join(", ")}`)
  let real = 0
  for (const name of tables) real += (yield* psql(`\\copy ${name} FROM '${dumped(name)}' WITH (FORMAT binary)`)).seconds

  const line = (name: string, seconds: number, peakMiB: number | null) => [
    name,
    figure(seconds, 1),
    figure(rows / seconds),
    figure(imported.seconds / seconds, 1),
    figure(peakMiB)
  ]
  yield* Console.log(
    table(
      [`${rows} contacts`, "seconds", "rows/s", "import takes, times", "peak RSS MiB"],
      [
        line("parley contacts import", imported.seconds, imported.peakMiB),
        line("COPY of the finished rows into the real tables", real, null),
        line("COPY of the contacts alone, without an index", plain.seconds, null),
        line("COPY of the cells as text, without an index", cells.seconds, null)
      ]
    )
  )
}, Effect.scoped)

const usual = Redacted.make("postgres://postgres@127.0.0.1:5432/postgres")

/** Imports a file from the command line, compared with the bare `COPY` of the same contacts. */
export const contactsImport = Command.make(
  "contacts-import",
  {
    server: Flag.Redacted("database-url").pipe(
      Flag.withDescription("A PostgreSQL server on this machine for the database of the bench"),
      Flag.optional
    ),
    rows: Flag.Int("rows").pipe(
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000_000 }))),
      Flag.withDescription("How many contacts are in the file (1000000)"),
      Flag.withDefault(1_000_000)
    )
  },
  ({ rows, server }) =>
    measure(
      Option.getOrElse(server, () => usual),
      rows
    )
).pipe(Command.withDescription("Measures the import of a contact file, compared with a bare COPY"))
