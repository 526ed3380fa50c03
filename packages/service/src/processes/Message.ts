import { Schema } from "effect"

/** What a process and the one that looks after it say to each other. Questions and answers go both ways, and are told apart by their numbers. */
export const Message = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("ready") }),
  Schema.Struct({ kind: Schema.Literal("background"), reason: Schema.NullOr(Schema.String) }),
  Schema.Struct({ kind: Schema.Literal("metrics_asked"), number: Schema.Int }),
  Schema.Struct({ kind: Schema.Literal("metrics_told"), number: Schema.Int, text: Schema.String })
])
export type Message = typeof Message.Type
