import { Effect, FileSystem, Schedule, Schema } from "effect"
import { join } from "node:path"
import { EmbeddedFolderInUse } from "./Errors.ts"
import { identityOf } from "./processIdentity.ts"

const Holder = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, identity: Schema.NullOr(Schema.String) }))
const encode = Schema.encodeEffect(Holder)
const decode = Schema.decodeUnknownEffect(Holder)

/** The process that holds the lock, if it still runs. */
const runningHolder = Effect.fnUntraced(function* (text: string) {
  const { identity, pid } = yield* decode(text)
  return identity !== null && (yield* identityOf(pid)) === identity ? pid : null
})

const read = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(file)
  return { text, pid: yield* runningHolder(text) }
})

/** Moves a lock aside that a killed process left behind. */
const clearStale = Effect.fnUntraced(function* (directory: string, file: string) {
  const files = yield* FileSystem.FileSystem
  const found = yield* read(file).pipe(
    // Its holder may be about to write it.
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 10, while: ({ _tag }) => _tag === "SchemaError" }),
    Effect.catchTag("SchemaError", () => Effect.map(files.readFileString(file), (text) => ({ text, pid: null })))
  )
  if (found.pid !== null) return yield* new EmbeddedFolderInUse({ directory, pid: found.pid })
  const aside = `${file}.${process.pid}`
  yield* files.rename(file, aside)
  // If somebody else was faster to clear it, then what was moved is their lock.
  yield* (yield* files.readFileString(aside)) === found.text ? files.remove(aside) : files.rename(aside, file)
})

/** Holds the folder for this process until the scope ends. */
export const lockFolder = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const file = join(directory, "lock")
  const mine = yield* encode({ pid: process.pid, identity: yield* identityOf(process.pid) })

  const claim = files.writeFileString(file, mine, { flag: "wx" })
  const claimOrClear = Effect.catchReason(claim, "PlatformError", "AlreadyExists", () =>
    clearStale(directory, file).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.void),
      Effect.andThen(claim)
    )
  )
  yield* Effect.acquireRelease(claimOrClear, () => Effect.ignore(files.remove(file)))
})
