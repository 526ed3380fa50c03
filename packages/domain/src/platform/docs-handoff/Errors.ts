import { Schema } from "effect"

/** The code is used, expired, unknown or malformed: which one is not said. */
export class DocsCodeInvalid extends Schema.TaggedError<DocsCodeInvalid>()("DocsCodeInvalid", {}) {
  override get message() {
    return "The code is not valid, or not any more. Ask for a new one."
  }
}
