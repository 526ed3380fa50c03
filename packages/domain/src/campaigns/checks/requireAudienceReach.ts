import { Effect } from "effect"
import { needsOfFilters } from "../../crm/index.ts"
import { type Permission, requireReach } from "../../kernel/index.ts"
import type { Broadcast } from "../Broadcast.ts"

/** A retry selects by the status of earlier recipients, like the field `broadcast`. */
const ofRetry: ReadonlyArray<Permission> = ["broadcasts.read"]

/** Fails unless the actor holds the permission of each audience field. Previews and sends also evaluate filters of other authors. */
export const requireAudienceReach = Effect.fnUntraced(function* ({
  audience,
  exclude,
  retry
}: Pick<Broadcast, "audience" | "exclude" | "retry">) {
  const fields = yield* needsOfFilters([audience, exclude])
  yield* requireReach([...fields, ...(retry === null ? [] : ofRetry)])
})
