import { Context, Schema } from "effect"
import { Uuid } from "./Id.ts"

/** What acts by itself when something happens. */
export const AutomatedRef = Schema.Struct({
  kind: Schema.Literals(["automation", "workflow"]),
  id: Uuid
}).annotate({ identifier: "AutomatedRef" })
export type AutomatedRef = typeof AutomatedRef.Type

/** Which automations and workflows came between an event and what people or stores did. */
export const Causation = Schema.Struct({
  depth: Schema.Int.annotateKey({ description: "How many automations and workflows stand between." }),
  root: Schema.NullOr(Schema.Int).annotateKey({
    description: "The position of the event that began it; `null` where a call did, as of a workflow."
  }),
  via: Schema.Array(AutomatedRef).annotateKey({ description: "Which these are, the first one first." })
}).annotate({ identifier: "Causation" })
export type Causation = typeof Causation.Type

/** What the events that are appended come from; `null` for what people and stores do. */
export const CurrentCausation = Context.Reference<Causation | null>("@parley/domain/kernel/CurrentCausation", {
  defaultValue: () => null
})
