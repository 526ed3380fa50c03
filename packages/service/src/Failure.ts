import { type Cause, Data, Effect, Layer } from "effect"

/** The command was given in a way that it cannot be followed. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly message: string }> {}

/** The configuration does not allow the command to start; every fault is a line of its own. */
export class WrongConfiguration extends Data.TaggedError("WrongConfiguration")<{
  readonly faults: ReadonlyArray<string>
}> {
  override get message() {
    return this.faults.join("\n")
  }
}

/** The database cannot be reached, or does not fit this version. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

/** One of several processes could not start. It has said why itself. */
export class ProcessFailed extends Data.TaggedError("ProcessFailed")<{
  readonly name: string
  readonly exitCode: number
}> {
  override get message() {
    return `The process ${this.name} could not start.`
  }
}

/** A layer that cannot be built, in the place of one that could. */
export const layerFailure = <Out, E>(cause: Cause.Cause<E>): Layer.Layer<Out, E> =>
  Layer.effectContext<Out, E, never>(Effect.failCause(cause))
