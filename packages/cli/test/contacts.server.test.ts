import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { ContactImport } from "@parley/domain/crm"
import { Backup, Database } from "@parley/postgres-adapter"
import { DateTime, Effect, FileSystem, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const inFolder = <A, E, R>(use: (folder: string, fs: FileSystem.FileSystem) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return yield* use(yield* fs.makeTempDirectoryScoped(), fs)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("the commands about contacts, on a server", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("import a file to its end without a server, say how far it is, and export what came of it", () =>
      inFolder((folder, fs) =>
        Effect.gen(function* () {
          const { parley } = commandLine(yield* OnServer)
          yield* parley("orgs", "create", "Files", "--slug", "files")
          const file = `${folder}/customers.csv`
          yield* fs.writeFileString(file, "Mail,a=b,Phone\r\nada@example.com,Ada,0170 1234567\r\nwrong,B,\r\n")
          const map = ["--map", "Mail=email", "--map", "a=b=name", "--map", "Phone=phone"]

          const dry = yield* parley(
            "contacts",
            "import",
            file,
            "--org",
            "files",
            ...map,
            "--country",
            "DE",
            "--dry-run",
            "--json"
          )
          const tried = yield* printed(ContactImport, dry)
          assert.deepStrictEqual([tried.dryRun, tried.counts.created, tried.counts.bad], [true, 1, 1])

          const ran = yield* parley("contacts", "import", file, "--org", "files", ...map, "--country", "DE", "--json")
          assert.strictEqual(ran.code, 0, ran.err)
          assert.match(ran.err, /\[#{30}\] 100 % {2}2 rows, \d+ rows\/s, 1 good, 1 bad/)
          const done = yield* printed(ContactImport, ran)
          assert.deepStrictEqual(
            { ...done.counts },
            { rows: 2, created: 1, updated: 0, unchanged: 0, bad: 1, suppressed: 0, unknownIds: 0 }
          )

          const target = `${folder}/out.csv`
          assert.strictEqual((yield* parley("contacts", "export", "--org", "files", "--output", target)).code, 0)
          const lines = (yield* fs.readFileString(target)).split("\r\n")
          assert.match(lines[1] ?? "", /^[\da-f-]{36},Ada,\+491701234567,ada@example\.com,,,unknown,,/)
          assert.isFalse(yield* fs.exists(`${target}.part`))
          const nowhere = `${folder}/missing/out.csv`
          const refused = yield* parley("contacts", "export", "--org", "files", "--output", nowhere)
          assert.deepStrictEqual([refused.code, refused.out], [1, ""])
          assert.include(refused.err, `The file ${nowhere} cannot be written`)
          const audit = yield* parley("audit", "list", "--org", "files", "--filter", "action=contacts.exported", "-q")
          assert.lengthOf(audit.out.trim().split("\n"), 1)
          const again = yield* printed(
            ContactImport,
            yield* parley("contacts", "import", target, "--org", "files", "--json")
          )
          assert.deepStrictEqual([again.counts.unchanged, again.counts.rows], [1, 1])
        })
      )
    )

    it.effect("run no import while the installation is on hold", () =>
      inFolder((folder, fs) =>
        Effect.gen(function* () {
          const environment = yield* OnServer
          const { parley } = commandLine(environment)
          yield* parley("orgs", "create", "Held", "--slug", "held")
          yield* fs.writeFileString(`${folder}/rows.ndjson`, '{"name":"A"}\n')
          const now = yield* DateTime.now
          yield* Effect.gen(function* () {
            yield* Backup.placeHold(yield* SqlClient.SqlClient, { file: "a.parley", since: now, snapshotAt: now })
          }).pipe(Effect.provide(Database.layer({ url: Redacted.make(environment.PARLEY_DATABASE_URL ?? "") })))
          const importing = ["contacts", "import", `${folder}/rows.ndjson`, "--org", "held", "--json"]
          const refused = yield* parley(...importing)
          assert.deepStrictEqual([refused.code, refused.out], [1, ""])
          assert.match(refused.err, /parley hold show\. .*parley hold release\./)
          yield* parley("hold", "release", "--yes")
          assert.strictEqual((yield* parley(...importing)).code, 0)
        })
      )
    )

    it.effect("start an import without waiting for it on request", () =>
      inFolder((folder, fs) =>
        Effect.gen(function* () {
          const { parley } = commandLine(yield* OnServer)
          yield* parley("orgs", "create", "Later", "--slug", "later")
          yield* fs.writeFileString(`${folder}/rows.ndjson`, '{"name":"A"}\n')
          const asked = yield* parley(
            "contacts",
            "import",
            `${folder}/rows.ndjson`,
            "--org",
            "later",
            "--no-watch",
            "--json"
          )
          assert.strictEqual((yield* printed(ContactImport, asked)).state, "queued")
        })
      )
    )

    it.effect("say which columns fill nothing, and refuse them if that is wanted", () =>
      inFolder((folder, fs) =>
        Effect.gen(function* () {
          const { parley } = commandLine(yield* OnServer)
          yield* parley("orgs", "create", "Columns", "--slug", "columns")
          const file = `${folder}/a.csv`
          yield* fs.writeFileString(file, 'E-Mail,Notes,Tags\r\nada@example.com,x,"VIP,Gold"\r\n')
          const base = ["contacts", "import", file, "--org", "columns", "--create-tags", "--json"]
          const strict = yield* parley(...base, "--strict")
          assert.deepStrictEqual(
            [strict.code, strict.err],
            [1, 'parley: /strict: The column "Notes" has no target. Map it to a target or to ignore']
          )
          const dry = yield* parley(...base, "--dry-run")
          assert.strictEqual(dry.code, 1)
          assert.include(dry.err, "These columns have no target: Notes.")
          assert.include(dry.err, "parley: Nothing would be imported: the only row is invalid. (refused)")
          const failed = yield* printed(ContactImport, dry)
          assert.deepStrictEqual([failed.outcome, failed.errorCode], ["nothing", "refused"])
          const listed = yield* parley("jobs", "list", "--org", "columns", "--state", "failed")
          assert.match(listed.out, new RegExp(`^${failed.jobId} +contacts\\.import +failed .* refused$`, "mu"))
          const shown = yield* parley("jobs", "show", failed.jobId, "--org", "columns")
          assert.match(
            shown.out,
            /^ERROR CODE +refused\nERROR +Nothing would be imported: the only row is invalid\.$/mu
          )
          const ran = yield* parley(...base, "--tag-separator", "comma", "--map", "Notes=ignore", "--strict")
          assert.strictEqual(ran.code, 0, ran.err)
          assert.include(ran.err, "1 row was imported: 1 created, 0 updated, 0 unchanged.")
          assert.notInclude(ran.err, "fill nothing")
        })
      )
    )

    it.effect("refuse invalid input with one line per error", () =>
      inFolder((folder, fs) =>
        Effect.gen(function* () {
          const { parley } = commandLine(yield* OnServer)
          yield* parley("orgs", "create", "Faults", "--slug", "faults")
          yield* fs.writeFileString(`${folder}/a.csv`, "a,b\r\n1,2\r\n")
          const unknown = yield* parley("contacts", "import", `${folder}/a.csv`, "--org", "faults", "--map", "c=name")
          assert.deepStrictEqual(
            [unknown.code, unknown.err],
            [1, 'parley: /map/0: The file has no column "c". It has: a, b']
          )
          const missing = yield* parley("contacts", "import", `${folder}/none.csv`, "--org", "faults")
          assert.deepStrictEqual(
            [missing.code, missing.err],
            [1, `parley: The file ${folder}/none.csv cannot be read: NotFound.`]
          )
          assert.strictEqual(
            (yield* parley("contacts", "import", `${folder}/a.csv`, "--org", "faults", "--map", "c")).code,
            2
          )
        })
      )
    )
  })
})
