import { Effect, FileSystem, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { EmbeddedFolderInUse } from "./Errors.ts"
import { identityOf } from "./processIdentity.ts"

const Claim = Schema.fromJsonString(
  Schema.Struct({ pid: Schema.Int, identity: Schema.NullOr(Schema.String), isHeld: Schema.Boolean })
)
const encode = Schema.encodeEffect(Claim)
const decode = Schema.decodeUnknownEffect(Claim)

const mostTries = 200

/** The claims of running processes. Those that killed processes left behind are cleared away. */
const runningClaims = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const names = (yield* files.readDirectory(folder)).filter((name) => name.endsWith(".json"))
  const claims = yield* Effect.forEach(
    names,
    Effect.fnUntraced(
      function* (name) {
        const claim = yield* decode(yield* files.readFileString(join(folder, name)))
        const isRunning = claim.identity !== null && (yield* identityOf(claim.pid)) === claim.identity
        if (!isRunning) yield* files.remove(join(folder, name), { force: true })
        return isRunning ? { ...claim, name } : null
      },
      // It was withdrawn while it was read, or is none.
      Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(null)),
      Effect.catchTag("SchemaError", () => Effect.succeed(null))
    )
  )
  return claims.filter((claim) => claim !== null)
})

/**
 * Holds the folder for this process until the scope ends. Whoever wants it writes a claim of its own first and looks
 * for others after, so of two at once at least one sees the other; it is held by who sees no other. Of several that
 * claim it, the one whose claim sorts first waits for the others to withdraw.
 */
export const lockFolder = Effect.fnUntraced(function* (directory: string) {
  const files = yield* FileSystem.FileSystem
  const folder = join(directory, "locks")
  const own = `${randomUUID()}.json`
  const identity = yield* identityOf(process.pid)
  yield* files.makeDirectory(folder, { recursive: true })

  const withdraw = files.remove(join(folder, own), { force: true })

  const write = Effect.fnUntraced(function* (isHeld: boolean) {
    const draft = join(folder, `${own}.draft`)
    yield* files.writeFileString(draft, yield* encode({ pid: process.pid, identity, isHeld }))
    yield* files.rename(draft, join(folder, own))
  })

  const claim = Effect.gen(function* () {
    for (let tries = 1; ; tries += 1) {
      yield* write(false)
      const [other, ...more] = (yield* runningClaims(folder)).filter(({ name }) => name !== own)
      if (other === undefined) return yield* write(true)
      const others = [other, ...more]
      const holder = others.find(({ isHeld }) => isHeld) ?? (tries === mostTries ? other : undefined)
      if (holder !== undefined) return yield* new EmbeddedFolderInUse({ directory, pid: holder.pid })
      if (others.some(({ name }) => name < own)) yield* withdraw
      yield* Effect.sleep("20 millis")
    }
  })

  yield* Effect.acquireRelease(
    Effect.onError(claim, () => Effect.ignore(withdraw)),
    () => Effect.ignore(withdraw)
  )
})
