import { Role } from "@parley/domain"
import { WrongConfiguration } from "@parley/service/configuration"
import { Effect, FileSystem, Schema } from "effect"

/** What the demo keeps for the person at this machine: where it runs, and how to log in. */
export const DemoFile = Schema.fromJsonString(
  Schema.Struct({
    address: Schema.String,
    password: Schema.RedactedFromValue(Schema.String),
    /** Where the provider is at whose other end the demo's customers are: another place at each start. */
    simulator: Schema.optionalKey(Schema.NullOr(Schema.String)),
    /** Where the demo's shop is, on this machine: another place at each start. */
    store: Schema.optionalKey(Schema.NullOr(Schema.String)),
    users: Schema.Array(
      Schema.Struct({
        email: Schema.String,
        role: Schema.optionalKey(Role),
        organization: Schema.String,
        plan: Schema.String
      })
    )
  })
)
export type DemoFile = typeof DemoFile.Type

const pathOf = (dataDir: string) => `${dataDir}/demo.json`

/** Reads the file of the demo, where there is one that can be read. */
export const readDemoFile = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(pathOf(dataDir)).pipe(Effect.flatMap(Schema.decodeEffect(DemoFile)), Effect.option)
})

/** Writes the file of the demo, for the owner of this process alone. */
export const writeDemoFile = Effect.fnUntraced(function* (dataDir: string, demo: DemoFile) {
  const fs = yield* FileSystem.FileSystem
  const file = pathOf(dataDir)
  const text = yield* Effect.orDie(Schema.encodeEffect(DemoFile)(demo))
  yield* Effect.andThen(
    // A file that was there before keeps its mode: it is made anew.
    Effect.ignore(fs.remove(file)),
    fs.writeFileString(file, `${text}\n`, { flag: "wx", mode: 0o600 })
  ).pipe(Effect.mapError(() => new WrongConfiguration({ faults: [`PARLEY_DATA_DIR: cannot write ${file}.`] })))
})
