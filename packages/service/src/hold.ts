import { Backup } from "@parley/postgres-adapter"
import { Context, DateTime, Effect, Layer } from "effect"

export type Hold = Backup.Hold
export type HeldWork = Backup.HeldWork
export const { countHeldWork, readHold, releaseHold } = Backup

/** Reads the hold of the installation; `null` without one. */
export const CurrentHold = Context.Reference<Effect.Effect<Hold | null>>("@parley/service/CurrentHold", {
  defaultValue: () => Effect.succeed(null)
})

/** The hold that the database stores. */
export const layerHold = Layer.effect(CurrentHold, Backup.holdReader)

/** Describes a hold for operators. */
export const describeHold = ({ file, since, snapshotAt }: Hold) =>
  `The installation is on hold since ${DateTime.formatIso(since)}: it was restored from ${file} with the state of ${DateTime.formatIso(snapshotAt)}. No background work runs. See what would leave: parley hold show. To end it: parley hold release`

/** Interval of the checks for a release. */
const checkInterval = "5 seconds"

const isReleased = Effect.flatMap(CurrentHold, (read) =>
  Effect.map(
    Effect.catchCause(read, () => Effect.succeed("unknown" as const)),
    (hold) => hold === null
  )
)

const awaitRelease = Effect.gen(function* () {
  do yield* Effect.sleep(checkInterval)
  while (!(yield* isReleased))
  yield* Effect.logInfo("The hold was released. The background work starts.")
})

/** Starts the background work now, or after the release of the hold. */
export const unlessHeld = Effect.fnUntraced(function* <A, E, R>(start: Effect.Effect<A, E, R>) {
  const hold = yield* yield* CurrentHold
  if (hold === null) return void (yield* start)
  yield* Effect.logWarning(describeHold(hold))
  yield* Effect.forkScoped(Effect.andThen(awaitRelease, start))
})
