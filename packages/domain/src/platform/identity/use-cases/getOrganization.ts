import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { Organizations } from "../Organizations.ts"

/** Reads the settings of the current organization. */
export const getOrganization = useCase(
  "identity.getOrganization",
  { access: { permission: "organization.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* Organizations).current()
  })
)
