import { Schema } from "effect"

/** Somebody else owns the lane by now, or it is closed: whatever was about to be written under the lease is void. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {}) {
  override get message() {
    return "The lease is lost: somebody else owns the lane by now."
  }
}
