import { Effect } from "effect"
import { needsOfFilters } from "../../crm/index.ts"
import { type Permission, requireReach } from "../../kernel/index.ts"
import type { Broadcast } from "../Broadcast.ts"

/** A retry selects by the status of earlier recipients, like the field `broadcast`. */
const ofRetry: ReadonlyArray<Permission> = ["broadcasts.read"]

/** A recipient without a value is excluded as `missing_variable`, so the counts answer for the fields of values as for those of filters. */
const ofValues = ({ variables, variants }: Pick<Broadcast, "variables" | "variants">): ReadonlyArray<Permission> =>
  [variables, ...(variants ?? []).map((variant) => variant.variables)].some((values) =>
    Object.values(values).some(({ kind }) => kind !== "constant")
  )
    ? ["contacts.read"]
    : []

/**
 * Fails unless the actor holds the permission of each field of the audience and of the values. Previews and sends also evaluate what other
 * authors wrote.
 */
export const requireAudienceReach = Effect.fnUntraced(function* ({
  audience,
  exclude,
  retry,
  variables,
  variants
}: Pick<Broadcast, "audience" | "exclude" | "retry" | "variables" | "variants">) {
  const fields = yield* needsOfFilters([audience, exclude])
  yield* requireReach([...fields, ...ofValues({ variables, variants }), ...(retry === null ? [] : ofRetry)])
})
