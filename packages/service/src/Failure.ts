import { type Cause, Data, Effect, Layer } from "effect"

/** Error for a command with invalid usage. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly message: string }> {}

/** Error for a configuration that prevents the start. Each issue is on a separate line. */
export class WrongConfiguration extends Data.TaggedError("WrongConfiguration")<{
  readonly faults: ReadonlyArray<string>
}> {
  override get message() {
    return this.faults.join("\n")
  }
}

/** Error for a database that is unreachable or does not fit this version. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly message: string
  /** Whether the database was created before the baselines of release 0.2.0. */
  readonly isBeforeBaselines?: boolean
}> {}

/** Error for a database that a restore must not change. */
export class RestoreRefused extends Data.TaggedError("RestoreRefused")<{ readonly message: string }> {}

/** Error for one of several processes that failed to start. That process prints the reason. */
export class ProcessFailed extends Data.TaggedError("ProcessFailed")<{
  readonly name: string
  readonly exitCode: number
}> {
  override get message() {
    return `The process ${this.name} could not start.`
  }
}

/** Layer that fails with the cause. */
export const layerFailure = <Out, E>(cause: Cause.Cause<E>): Layer.Layer<Out, E> =>
  Layer.effectContext<Out, E, never>(Effect.failCause(cause))
