import { Schema } from "effect"

/** A program that the bench calls did not say what it should. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  tool: Schema.String,
  output: Schema.String
}) {
  override get message() {
    return `${this.tool} failed:\n${this.output}`
  }
}
