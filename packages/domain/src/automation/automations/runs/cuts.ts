import type { AutomatedRef, Causation } from "../../../kernel/index.ts"

/** So many automations and workflows may stand between what people did and what comes of it. */
const deepest = 5

/** Why something that acts by itself must not begin with an event that has this causation; `null` if it may. */
export const cutOf = (causation: Causation | null, { id, kind }: AutomatedRef): "cycle" | "too_deep" | null => {
  if (causation === null) return null
  if (causation.via.some((each) => each.kind === kind && each.id === id)) return "cycle"
  return causation.depth >= deepest ? "too_deep" : null
}

/** What the events come from that are caused by what began with an event: with the one at this position, if it comes from nothing. */
export const causedBy = (causation: Causation | null, by: AutomatedRef, position: number | null): Causation => ({
  depth: (causation?.depth ?? 0) + 1,
  root: causation === null ? position : causation.root,
  via: [...(causation?.via ?? []), by]
})
