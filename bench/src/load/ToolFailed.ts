import { Schema } from "effect"

/** A program called by the bench returned an unexpected result. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  tool: Schema.String,
  output: Schema.String
}) {
  override get message() {
    return `${this.tool} failed:\n${this.output}`
  }
}
