import { Effect } from "effect"
import { CurrentActor } from "../../../kernel/index.ts"
import type { LanePriority } from "../../../platform/background/index.ts"

/** Whether a person waits for what is sent, or a program. */
export const urgency = Effect.map(CurrentActor, ({ kind }): LanePriority =>
  kind === "user" || kind === "operator" ? "person" : "bulk"
)
