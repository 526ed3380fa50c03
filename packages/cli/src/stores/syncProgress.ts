import type { StoreSync } from "@parley/domain"
import { barOf } from "../console/progress.ts"

/** One line that says how far the sync of a store is. How much there is may not be known. */
export const syncLine = ({ phase, progress: { done, total }, state }: StoreSync): string => {
  if (state !== "running") return state
  const doing = phase ?? "begins"
  if (total === null || total === 0) return `${doing}: ${done}`
  const share = Math.min(1, done / total)
  return `${barOf(share)} ${String(Math.floor(share * 100)).padStart(3)} %  ${doing}: ${done} of ${total}`
}
