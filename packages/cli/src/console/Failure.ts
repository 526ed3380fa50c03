import { Data } from "effect"

/** A rule refuses what was asked for, or what it names is not there. */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}

/** The service cannot be reached, or does not fit this version. */
export class ServiceUnusable extends Data.TaggedError("ServiceUnusable")<{ readonly message: string }> {}

/** However a call can fail: what went wrong has a name, and says it in words. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}
