import { Context } from "effect"

/** The request the code works for, as far as an edge has said: its id goes into the audit trail and every problem. */
export const CurrentRequest = Context.Reference<{ readonly id: string | null }>(
  "@parley/domain/kernel/CurrentRequest",
  { defaultValue: () => ({ id: null }) }
)
