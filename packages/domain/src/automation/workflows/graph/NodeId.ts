import { Schema } from "effect"

/** What a node, a goal or an exit is called by the others of its graph. */
export const NodeId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z][A-Za-z0-9_-]{0,39}$/u, {
    message: "Expected 1 to 40 letters, digits, _ and -, of which the first is a letter"
  })
).pipe(Schema.brand("NodeId"))
export type NodeId = typeof NodeId.Type
