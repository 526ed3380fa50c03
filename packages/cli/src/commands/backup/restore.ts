import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { printJson } from "../../console/print.ts"
import { confirm } from "../../console/prompts.ts"
import { sharedSettings } from "../../parley.ts"
import { onOwnDatabase, requireOwnDatabase, service } from "./database.ts"

const question = "Delete all data of this database and replace it by the backup?"

export const restore = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("File of the backup")),
    replace: Flag.Boolean("replace").pipe(
      Flag.withDescription("Delete the data of a database that is not empty"),
      Flag.withoutNegation,
      Flag.withDefault(false)
    ),
    yes: Flags.yes,
    json: Flags.json
  },
  Effect.fn(function* ({ file, json, replace, yes }) {
    const settings = yield* Effect.flatMap(sharedSettings, requireOwnDatabase)
    const { restore: restoreBackup, restoreApplication } = yield* service
    const asks = replace ? confirm(question, yes) : Effect.void
    const { header, rows } = yield* onOwnDatabase(
      settings,
      { creates: true, application: restoreApplication },
      restoreBackup(settings, file, { replaces: replace, confirm: asks })
    )
    if (json) return yield* printJson({ file, at: header.at, release: header.release, rows, onHold: true })
    yield* Console.log(`Restored ${rows} rows with the state of ${header.at}. All sessions are revoked.`)
    yield* Console.error("The installation is on hold: no background work runs. Next: parley hold show")
  })
).pipe(
  Command.withExamples([
    { command: "parley restore /var/backups/parley/parley-20260301T020000Z.parley" },
    { command: "parley restore before-upgrade.parley --replace", description: "Over existing data" }
  ])
)
