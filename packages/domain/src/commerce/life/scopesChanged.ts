import { Effect } from "effect"
import { missingScopes } from "../connecting/missingScopes.ts"
import { connectionAfter, holdsShop } from "../connections/connectionStatus.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { platformOf } from "../StorePlatform.ts"
import { changeConnection } from "./changeConnection.ts"

/** Takes what a shop agrees to by now. With less than is needed nothing is read any more, until it agrees to all of it again. */
export const scopesChanged = (id: StoreConnectionId, scopes: ReadonlyArray<string>) =>
  changeConnection(
    id,
    Effect.fnUntraced(function* (before, at) {
      if (!holdsShop(before.status)) return null
      const platform = yield* Effect.orDie(platformOf(before))
      const missing = missingScopes(platform.scopes, scopes)
      if (missing.length > 0) {
        const reason = `The shop does not agree to ${missing.join(", ")} any more.`
        const isLost = before.lastError?.code === "access_lost"
        return {
          scopes,
          status: connectionAfter(before.status, "lose") ?? before.status,
          lastError: isLost ? before.lastError : { code: "scopes_missing" as const, reason, at }
        }
      }
      return before.status === "error" && before.lastError?.code === "scopes_missing"
        ? { scopes, status: "connected" as const, lastError: null }
        : { scopes }
    })
  )
