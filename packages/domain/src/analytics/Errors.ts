import { Schema } from "effect"

/** Somebody else has begun to count anew since. */
export class RecountOvertaken extends Schema.TaggedError<RecountOvertaken>()("RecountOvertaken", {}) {}
