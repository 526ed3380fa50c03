import type { ActorRef } from "../../../kernel/index.ts"
import type { SourceEvent } from "./SourceEvent.ts"

/** An event, and who did it. */
export interface Done {
  readonly event: SourceEvent
  readonly actor: ActorRef
}

/** Whose message it is; `null` for what is none, and for what was sent by itself. */
export const writtenBy = ({ actor, event }: Done): "contact" | "team" | null => {
  if (event.type === "message.received") return "contact"
  if (event.type === "message.echoed") return "team"
  return event.type === "message.queued" && actor.kind === "user" ? "team" : null
}
