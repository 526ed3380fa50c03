import { Data } from "effect"

/** A rule refuses what was asked for, or what it names is not there. */
export class Refused extends Data.TaggedError("Refused")<{ readonly message: string }> {}
