import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { CurrentOrganization, transact, useCase } from "../../kernel/index.ts"
import { Suppressions } from "../Suppressions.ts"
import { listKeys, openListKey } from "../consent/suppressionList.ts"

/**
 * Seals the key of the organization's suppression list with the newest master key; says whether there is one. The key itself
 * stays, and with it all digests.
 */
export const resealSuppressions = useCase(
  "suppressions.reseal",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const suppressions = yield* Suppressions
    const sealed = yield* suppressions.key()
    if (sealed === null) return false
    const key = yield* openListKey(sealed)
    yield* suppressions.resealKey(yield* listKeys.seal("", key))
    yield* record("suppressions.resealed", { kind: "suppressions", id: (yield* CurrentOrganization).id })
    return true
  }, transact)
)
