import { BroadcastId } from "@parley/domain"
import * as Problems from "../problems.ts"
import { idOf } from "../shapes.ts"

/** Which broadcast is meant. */
export const broadcast = idOf(BroadcastId, "broadcast")

/** How reading one is refused. */
export const read = [Problems.PermissionDenied, Problems.NotFound] as const

/** How changing one is refused. */
export const changed = [...read, Problems.VersionConflict] as const
